"""The recipes of packages say what the build says: recipes_test.py. Versions are everywhere the same; Spack's variants
are options of CMake that exist; Debian's dependencies are also Spack's and conda's. Spack
itself is not needed: its recipe is run with functions that note their arguments. Where rattler-build is installed, it
renders conda's recipe."""

import re
import sys
import tomllib
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPACK = "packaging/spack/spack_repo/sverdrup"
SPACK_RECIPE = f"{SPACK}/packages/sverdrup/package.py"
# Debian's name: those of Spack and of conda. None: the recipe has it by other means.
BUILD = {
    "libopenmpi-dev": ("mpi", "${{ mpi }}"),
    "libyaml-cpp-dev": ("yaml-cpp", "yaml-cpp"),
    "libcli11-dev": ("cli11", "cli11"),
    "nlohmann-json3-dev": ("nlohmann-json", "nlohmann_json"),
    "libmetis-dev": ("metis", "metis"),
    "libpnetcdf-dev": ("parallel-netcdf", "libpnetcdf"),
    "libnetcdf-mpi-dev": ("netcdf-c", "libnetcdf"),
    "libisal-dev": ("isa-l", "isa-l"),
    "libdeflate-dev": ("libdeflate", "libdeflate"),
    "zlib1g-dev": ("zlib-api", "zlib"),
    "libzstd-dev": ("zstd", "zstd"),
    "libblosc-dev": ("c-blosc", "blosc"),
    "python3-nanobind": ("py-nanobind", "nanobind"),
    "python3-dev": ("python", "python"),
    "cmake": ("cmake", "cmake"),
    "ninja-build": ("ninja", "ninja"),
    "gfortran": ("fortran", None),
    "openmpi-bin": (None, None),
    "debhelper-compat": (None, None),
    "python3-typing-extensions": (None, None),
}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def first(pattern, path):
    return re.search(pattern, read(path), re.M)[1]


def check_versions():
    found = {
        "CMakeLists.txt": first(r"^project\(sverdrup VERSION ([\d.]+)", "CMakeLists.txt"),
        "pyproject.toml": tomllib.loads(read("pyproject.toml"))["project"]["version"],
        "python/pyproject.toml": tomllib.loads(read("python/pyproject.toml"))["project"]["version"],
        "python/sverdrup/__init__.py": first(r'^__version__ = "([\d.]+)"', "python/sverdrup/__init__.py"),
        "debian/changelog": first(r"^sverdrup \(([\d.]+)\)", "debian/changelog"),
        "CITATION.cff": first(r'^version: "?([\d.]+)', "CITATION.cff"),
        "packaging/spack": first(r'^    version\("([\d.]+)"', SPACK_RECIPE),
        "packaging/conda": first(r"^  version: ([\d.]+)", "packaging/conda/recipe.yaml"),
    }
    assert len(set(found.values())) == 1, found


class Spec:
    """The contents of a package when all variants are on."""

    def satisfies(self, _):
        return True


def provide(name, words):
    """A module that has these words, and the packages above it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        sys.modules[".".join(parts[:end])] = types.ModuleType(parts[end - 1])
    vars(sys.modules[name]).update(words)


def check_spack_repository():
    """The folder is one of Spack 1: in spack_repo/NAMESPACE, with repo.yaml; lines keep the limit of Spack's linter."""
    namespace = first(r"^  namespace: (\w+)$", f"{SPACK}/repo.yaml")
    assert SPACK.endswith(f"/spack_repo/{namespace}"), namespace
    assert first(r"^  api: (v2\.\d+)$", f"{SPACK}/repo.yaml")
    long = [line for line in read(SPACK_RECIPE).splitlines() if len(line) > 99]
    assert not long, f"lines longer than 99 columns: {long}"


def spack_recipe():
    """The class of the recipe, its variants and dependencies, by name the conditions and the texts."""
    variants, needs, conflicts = {}, {}, []
    words = {
        "variant": lambda name, default, description: variants.setdefault(name, default),
        "depends_on": lambda spec, type=None, when="": needs.setdefault(re.split(r"[@+]", spec)[0], []).append(when),
        "conflicts": lambda spec, when="", msg="": conflicts.append((spec, when)),
        "version": lambda *_, **__: None,
        "license": lambda *_: None,
        "run_after": lambda _: lambda method: method,
        "on_package_attributes": lambda **_: lambda method: method,
        "EnvironmentModifications": None,
        "Executable": None,
        "join_path": None,
    }

    class CMakePackage:
        spec = Spec()

        def define(self, name, value):
            return name, value

        def define_from_variant(self, name, variant):
            assert variant in variants, f"cmake_args names a variant {variant} that there is not"
            return name, variant

    provide("spack.package", words)
    provide("spack_repo.builtin.build_systems.cmake", {"CMakePackage": CMakePackage, "generator": lambda *_: None})
    space = {}
    exec(compile(read(SPACK_RECIPE), "package.py", "exec"), space)
    return space["Sverdrup"], variants, needs


def check_spack():
    recipe, variants, needs = spack_recipe()
    options = set()
    for path in [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake"), *ROOT.glob("*/**/CMakeLists.txt")]:
        if "build" not in path.relative_to(ROOT).parts[0]:
            options |= set(re.findall(r"^option\((SV_\w+)", path.read_text(encoding="utf-8"), re.M))
    arguments = dict(recipe().cmake_args())
    assert set(arguments) <= options, f"not options of CMake: {set(arguments) - options}"
    assert {value for value in arguments.values() if value} == set(variants), (arguments, variants)
    conditions = {name for whens in needs.values() for when in whens for name in re.findall(r"[+~](\w+)", when)}
    assert conditions <= set(variants), f"conditions without variant: {conditions - set(variants)}"
    return set(needs)


def check_conda():
    """The names in the lists of the recipe, which is YAML whose lists stand one item a line."""
    names = set(re.findall(r"^    - (\$\{\{ mpi \}\}|[\w-]+)", read("packaging/conda/recipe.yaml"), re.M))
    try:
        from rattler_build import RenderConfig, Stage0Recipe, VariantConfig
    except ImportError:
        print("recipes: rattler-build is not installed: conda's recipe is read, not rendered")
        return names
    folder = ROOT / "packaging/conda"
    recipe = Stage0Recipe.from_file(folder / "recipe.yaml")
    rendered = list(recipe.render(VariantConfig.from_file(folder / "variants.yaml"), RenderConfig()))
    assert len(rendered) == 6, f"{len(rendered)} packages instead of two MPIs for three Pythons"
    return names


def check_containers():
    """Both are made from the same system, by the same commands."""
    recipes = [read("packaging/container/Dockerfile"), read("packaging/container/sverdrup.def")]
    systems = {re.search(r"^(?:FROM|From:) (\S+)$", text, re.M)[1] for text in recipes}
    assert len(systems) == 1, systems
    assert all("make install && scripts/smoke /usr/local" in text for text in recipes)


def check_debian(spack, conda):
    control = read("debian/control").replace("\n ", " ")
    asked = re.search(r"^Build-Depends: (.*)$", control, re.M)[1]
    asked = {re.split(r"[ :(<]", name.strip())[0] for name in asked.split(",")} - {"python3"}
    assert asked == set(BUILD), f"debian/control and this test differ: {asked ^ set(BUILD)}"
    lacking = [f"Spack: {names[0]}" for names in BUILD.values() if names[0] and names[0] not in spack]
    lacking += [f"conda: {names[1]}" for names in BUILD.values() if names[1] and names[1] not in conda]
    assert not lacking, lacking
    for need in tomllib.loads(read("pyproject.toml"))["project"]["dependencies"]:
        name = re.match(r"\w+", need)[0]
        debian = {"pyyaml": "yaml"}.get(name, name)
        everywhere = f"python3-{debian}" in control and f"py-{name}" in spack and name in conda
        assert everywhere, f"{name} is missing somewhere"


if __name__ == "__main__":
    check_versions()
    check_spack_repository()
    check_containers()
    check_debian(check_spack(), check_conda())
    print("recipes: as the build is")
