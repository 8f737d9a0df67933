"""In which order campaigns try their cases."""


def dealt(groups, chance):
    """One of each group, in any order, then another of each, until all groups are empty."""
    left = [chance.sample(group, len(group)) for group in groups]
    while left:
        chance.shuffle(left)
        yield from [group.pop() for group in left]
        left = [group for group in left if group]
