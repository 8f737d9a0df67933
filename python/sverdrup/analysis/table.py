"""The totals of all processes of a run as one table of columns. They are exact even where events were overwritten.
TracedRun owns the table; the whole analysis selects rows of it."""

import numpy as np

from sverdrup.analysis import paths
from sverdrup.analysis.words import IO_LAYERS, LAYER_ORDER
from sverdrup.trace import Run


class Table:
    """A row for each process, path, file and variable. Names by number: functions [(layer, name)], files [path],
    variables [(file number, name)]. Columns of a row: process, rank (index into Run.ranks, -1: none), path (of its
    process), function, caller, outermost, file, variable, layer (index of LAYER_ORDER), root, outer, top, in_io,
    hidden (see Paths), calls, errors, bytes, ns, most_ns, sizes (rows, 32), knows_file, knows_variable: it is of
    one, and no call around it is of the same; behind: a system call of a library's own thread, outside its
    functions, on a file that they know (library_files). Files: 0 is none; those that were renamed when they were
    complete have their final names, `recorded_file` has the one that was recorded."""

    PATH_COLUMNS = ("function", "caller", "outermost", "root", "outer", "top", "in_io", "hidden", "layer")
    COUNTERS = ("calls", "errors", "bytes", "ns", "most_ns", "sizes")

    def __init__(self, run: Run):
        self.run = run
        self._functions: dict[tuple[str, str], int] = {}
        self._files: dict[str, int] = {"": 0}
        self._variables: dict[tuple[int, str], int] = {(0, ""): 0}
        self._renamed = self._renames()
        self.paths, self.file_numbers, self.variable_numbers = [], [], []
        self.sverdrup = any(p.is_library or any(layer == "sverdrup" for layer, _ in p.functions) for p in run.processes)
        columns = [self._of(index) for index in range(len(run.processes))]
        for name in columns[0]:
            setattr(self, name, np.concatenate([each[name] for each in columns]))
        self.functions, self.files, self.variables = list(self._functions), list(self._files), list(self._variables)
        self.io = np.isin(self.layer, [LAYER_ORDER.index(name) for name in IO_LAYERS])
        self.library_files = np.unique(self.file[self.is_layer("sverdrup", "netcdf", "pnetcdf") & (self.file > 0)])
        self.behind = self.root & self.is_layer("posix") & np.isin(self.file, self.library_files)

    def _of(self, index: int) -> dict[str, np.ndarray]:
        process = self.run.processes[index]
        rank = self.run.rank_index[index]
        known = paths.of_process(process, self._functions)
        files = np.array([self._file(path) for path in process.files], np.int64)
        variables = np.array([self._variable(int(files[file]), name) for file, name in process.variables], np.int64)
        self.paths.append(known)
        self.file_numbers.append(files)
        self.variable_numbers.append(variables)
        path, file, variable = process.total_places()
        rows = {name: getattr(known, name)[path] for name in self.PATH_COLUMNS}
        rows |= {name: process.totals[name] for name in self.COUNTERS}
        rows |= {"process": np.full(len(path), index), "rank": np.full(len(path), rank), "path": path}
        recorded = np.array([self._files.setdefault(path, len(self._files)) for path in process.files], np.int64)
        rows |= {"file": files[file], "recorded_file": recorded[file], "variable": variables[variable]}
        rows["knows_file"] = _outermost(process.path_caller, path, rows["file"])
        rows["knows_variable"] = _outermost(process.path_caller, path, rows["variable"])
        return rows

    def _renames(self) -> dict[str, str]:
        notes = [note.content for process in self.run.processes for note in process.notes]
        return {str(n.get("from")): str(n.get("to")) for n in notes if n.get("kind") == "rename"}

    def final_name(self, path: str) -> str:
        if self.sverdrup:
            path = path.removesuffix(".part")
        return self._renamed.get(path, path)

    def _file(self, path: str) -> int:
        return self._files.setdefault(self.final_name(path), len(self._files))

    def _variable(self, file: int, name: str) -> int:
        return self._variables.setdefault((file, name), len(self._variables)) if name else 0

    def is_layer(self, *names: str) -> np.ndarray:
        return np.isin(self.layer, [LAYER_ORDER.index(name) for name in names])

    def is_function(self, test) -> np.ndarray:
        """Rows of the functions for which test(layer, name) holds."""
        return np.array([bool(test(*name)) for name in self.functions] or [False])[self.function]

    def is_called_by(self, test) -> np.ndarray:
        """Rows whose outermost call is of a function for which test(layer, name) holds."""
        return np.array([bool(test(*name)) for name in self.functions] or [False])[self.outermost]

    def by_rank(self, mask: np.ndarray, column: str = "ns") -> np.ndarray:
        """Sums of a column over rows of `mask`, shape (ranks,), float; of none: 0."""
        mask = mask & (self.rank >= 0)
        return np.bincount(self.rank[mask], getattr(self, column)[mask].astype(float), len(self.run.ranks))

    def seconds_by_rank(self, mask: np.ndarray) -> np.ndarray:
        return self.by_rank(mask) / 1e9

    def self_ns(self, index: int) -> np.ndarray:
        """Time in each path of process `index` without the calls within it, shape (paths,)."""
        process, known = self.run.processes[index], self.paths[index]
        mask = self.process == index
        whole = np.bincount(self.path[mask], self.ns[mask].astype(float), len(known.function))
        return np.maximum(whole - np.bincount(process.path_caller, whole, len(whole))[: len(whole)], 0)


def _outermost(path_caller: np.ndarray, path: np.ndarray, what: np.ndarray) -> np.ndarray:
    """Rows of something (`what` is not 0) that no row of a path around theirs is of too."""
    known = np.unique(path * (what.max(initial=0) + 1) + what)
    outer, around = what != 0, path_caller[path]
    while around.any():
        outer &= (around == 0) | ~np.isin(around * (what.max(initial=0) + 1) + what, known)
        around = path_caller[around]
    return outer
