#!/usr/bin/env python3
"""The checks of the sources on small files: scripts/floors, scripts/floors-sizes and scripts/prose."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Prose(unittest.TestCase):
    def found(self, name, text):
        """(group, finding) of a file with this text."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        module = load("prose")
        module.ROOT = pathlib.Path(folder.name)
        (module.ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (module.ROOT / name).write_text(text)
        return [(group, finding) for group, _, finding in module.findings_in(name)]

    def test_pages(self):
        self.assertEqual([], self.found("docs/a.md", "# What\n\nIt prints `told` and the number of writes.\n\n```\ntold\n```\n"))
        self.assertIn("told", self.found("docs/a.md", "A rank is\ntold the error.\n")[0][1])
        self.assertIn("name the noun", self.found("docs/a.md", "| a | it reads what was put |\n")[0][1])

    def test_long_sentences(self):
        self.assertEqual([], self.found("docs/a.md", f"{'word ' * 20}. {'Word ' * 20}.\n"))
        self.assertEqual("long sentences in docs", self.found("docs/a.md", "word " * 26)[0][0])
        self.assertEqual("texts", self.found("docs/a.md", "word " * 41)[0][0])

    def test_sources(self):
        text = '/// Whoever reads.\nint told();  // a "told"\nthrow Error("nobody waits for it");\n'
        groups = sorted(group for group, _ in self.found("src/plan/a.cpp", text))
        self.assertEqual(["comments in src/plan", "comments in src/plan", "messages in src/plan", "names in src/plan"], groups)
        self.assertEqual("texts", self.found("include/sverdrup/a.h", "/* Tells the rank. */\n")[0][0])


class Floors(unittest.TestCase):
    def tree(self, files):
        """The module, for a tree of these files."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        module = load("floors")
        module.ROOT = pathlib.Path(folder.name)
        for path, content in files.items():
            (module.ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (module.ROOT / path).write_text(content)
        return module

    def complaints(self, place, text):
        module = self.tree({place: text, "src/engine/file.hpp": "", "src/plan/plan.hpp": ""})
        found = []
        for name in module.FLOOR:
            module.check_folder(name, found)
        for name in ("models", "tools", "benchmarks"):
            module.check_outsiders(name, found)
        return found

    def circles(self, files):
        found = []
        floors = self.tree({f"src/{name}": "".join(f'#include "{other}"\n' for other in others)
                            for name, others in files.items()})
        floors.check_circles(floors.unit_edges("src"), "units", found)
        return found

    def test_upward(self):
        self.assertIn("downward", self.complaints("src/plan/a.cpp", '#include "engine/file.hpp"\n')[0])

    def test_neighbour(self):
        self.assertIn("downward", self.complaints("src/plan/a.cpp", '#include "store/store.hpp"\n')[0])
        self.assertEqual([], self.complaints("src/transport/a.cpp", '#include "packing/view.hpp"\n'))

    def test_downward(self):
        self.assertEqual([], self.complaints("src/engine/a.cpp", '#include "plan/plan.hpp"\n#include <vector>\n'))

    def test_circle(self):
        # Of units, not of files: the header of one, the source of the other. Units that only lead to the circle are not in it.
        found = self.circles({"plan/a.hpp": ["plan/c.hpp"], "plan/b.hpp": [], "plan/b.cpp": ["plan/b.hpp", "plan/a.hpp"],
                              "plan/c.hpp": ["plan/b.hpp", "plan/d.hpp"], "plan/d.hpp": [], "plan/e.cpp": ["plan/a.hpp"]})
        self.assertTrue(found[0].startswith("3 units") and found[0].endswith(": plan/a plan/b plan/c"), found)
        self.assertEqual(["src/plan/a.hpp:1: plan/a -> plan/c", "src/plan/b.cpp:2: plan/b -> plan/a",
                          "src/plan/c.hpp:1: plan/c -> plan/b"], found[1:])

    def test_no_circle(self):
        self.assertEqual([], self.circles({"plan/a.hpp": ["plan/b.hpp", "plan/c.hpp"], "plan/b.hpp": ["plan/c.hpp"],
                                           "plan/c.hpp": [], "plan/a.cpp": ["plan/a.hpp"]}))

    def test_circle_of_calls(self):
        # run.h declares what files.c defines, which needs run.h.
        files = {"bindings/c/run.h": "int begin(void);\nvoid forget(void);\n", "bindings/c/run.c": '#include "run.h"\nint begin(void) { return 0; }\n',
                 "bindings/c/files.c": '#include "run.h"\nvoid forget(void) { begin(); }\n'}
        found = []
        floors = self.tree(files)
        floors.check_circles(floors.unit_edges("bindings"), "units", found)
        self.assertTrue(found[0].startswith("2 units") and found[0].endswith(": c/files c/run"), found)
        found = []
        floors = self.tree({**files, "bindings/c/run.h": "int begin(void);\n"})
        floors.check_circles(floors.unit_edges("bindings"), "units", found)
        self.assertEqual([], found)
    def test_circle_of_modules(self):
        # Imports for types alone count, and those of a package, relative ones too; not those of the compiled part.
        package = {"__init__": "from a.b import B\n", "b": "if 0:\n    from .c import C\n", "c": "from . import B\n",
                   "d": "import a.c\nfrom a import _core\n"}
        found = []
        floors = self.tree({f"python/a/{name}.py": text for name, text in package.items()})
        floors.check_circles(floors.module_edges("python"), "modules", found)
        self.assertTrue(found[0].startswith("3 modules") and found[0].endswith(": a a.b a.c"), found)
        self.assertEqual(["python/a/__init__.py:1: a -> a.b", "python/a/b.py:2: a.b -> a.c", "python/a/c.py:1: a.c -> a"],
                         found[1:])

    def test_mutexes(self):
        floors = self.tree({"src/file/a.cpp": "std::mutex own;\nMutex checked;\n",
                            "src/base/mutex.hpp": "std::mutex mutex_;\n"})
        found = []
        floors.check_mutexes(found)
        self.assertEqual([each.split(": ")[0] for each in found], ["src/file/a.cpp:1"])

    def test_delivery(self):
        floors, found = self.tree({"src/transfer/a.cpp": "BehindDelivery *later;\nif (delivery.is_asynchronous()) return;\n"}), []
        floors.DELIVERING = {"transfer/b"}
        floors.check_delivering(found)
        self.assertEqual(3, len(found), found)
        for complaint, begin in zip(found, ("transfer/a.cpp:1: names", "transfer/a.cpp:2: asks", "transfer/b: ")):
            self.assertTrue(complaint.startswith("src/" + begin), found)

    def test_mpi(self):
        self.assertEqual(2, len(self.complaints("src/store/a.cpp", "#include <mpi.h>\n")))
        self.assertIn("MPI_Bcast", self.complaints("src/engine/a.cpp", "void f() { MPI_Bcast(0, 0, 0, 0, c); }\n")[0])
        self.assertEqual([], self.complaints("src/engine/a.cpp", "// MPI_Bcast(no) \n"))
        self.assertEqual([], self.complaints("src/transport/a.cpp", "#include <mpi.h>\nint a = MPI_Barrier(c);\n"))

    def test_optional(self):
        def complaints(member, held):
            found = []
            text = f"class A {{\n  struct B {{\n    {member}\n  }};\n  {held}\n}};\n"
            self.tree({"src/plan/a.hpp": text}).check_optionals(found)
            return found
        self.assertIn("src/plan/a.hpp:2: clang", complaints("int number = 0;", "std::optional<B> b;")[0])
        self.assertEqual(1, len(complaints("std::vector<int> numbers{1};", "mutable std::optional<B> b_;")))
        self.assertEqual([], complaints("int number;", "std::optional<B> b;"))
        self.assertEqual([], complaints("int number = 0;", "std::optional<B> found() const;"))
        self.assertEqual([], complaints("int number = 0;", "std::vector<B> b;"))

    def test_outsider(self):
        self.assertIn("public", self.complaints("models/a.c", '#include "plan/plan.hpp"\n')[0])
        self.assertEqual([], self.complaints("benchmarks/plan_scale/a.cpp", '#include "plan/plan.hpp"\n'))


class Sizes(unittest.TestCase):
    def setUp(self):
        self.sizes = load("floors-sizes")

    def test_cxx(self):
        text = ("namespace a {\nint f(int x, std::map<int, int> y) {\n  auto g = [&](int z) { return z; };\n"
                "  if (x) {\n  }\n  return 0;\n}\nstruct S {\n  S(int b) : b_{b} {}\n  int b_;\n};\n}  // namespace a\n")
        found = [(name, lines, count) for _, name, lines, count in self.sizes.cxx_functions(text)]
        self.assertIn(("f", 6, 2), found)
        self.assertEqual(["f"], [name for name, lines, _ in found if lines > 1])

    def test_header(self):
        text = ("#define TWICE(x) \\\n  f(x); \\\n  f(x)\n// void not_this();\nnamespace a {\n"
                "constexpr int most = largest(3);\nusing Visit = std::function<void(int)>;\nenum class E { one, two };\n"
                "class alignas(64) S : public B {\n public:\n  S() = default;\n  S(const S &) = delete;\n"
                "  explicit S(int b, Visit v = {}) : b_{b}, v_(v), w_{v, {}} { call(b); }\n  ~S() noexcept;\n"
                "  int b() const { return of(b_); }\n  int &b() { return b_; }\n"
                "  virtual std::map<int, Visit> all(const std::map<int, int> &from = {}, int = g()) const = 0;\n"
                "  bool operator==(const S &) const;\n  S operator()(int (*how)(int)) const;\n"
                "  template <class T, int n = 2>\n  [[nodiscard]] auto get() const -> T;\n\n private:\n"
                "  static void hidden();\n  std::function<void()> f_ = [] { call(3); };\n  Visit v_, w_{nullptr};\n"
                "  int (*pointer_)(int) = nullptr;\n  int b_ = zero();\n};\ninline int free(int a) {\n  if (a) call(a);\n"
                "  return a;\n}\nstatic_assert(sizeof(S) > 1);\n}  // namespace a\n")
        self.assertEqual(["S", "~S", "b", "b", "all", "operator", "operator", "get", "hidden", "free"],
                         list(self.sizes.declared_functions(text)))

    def test_many_in_a_header(self):
        def complaints(place, functions):
            with tempfile.TemporaryDirectory() as folder:
                self.sizes.ROOT = pathlib.Path(folder)
                path = self.sizes.ROOT / place
                path.parent.mkdir(parents=True)
                path.write_text("".join(f"void f{i}();\n" for i in range(functions)))
                return list(self.sizes.check(path))
        self.assertEqual([], complaints("src/plan/a.hpp", 30))
        self.assertIn("31 functions; at most 30", complaints("src/plan/a.hpp", 31)[0])
        self.assertEqual([], complaints("include/sverdrup/a.h", 31))
        self.assertEqual([], complaints("src/plan/a.cpp", 31))

    def test_strings_and_comments(self):
        text = 'int f() {\n  return "}{" [0];  // {{{\n}\nint g(void) {\n  return \'{\';\n}\n'
        self.assertEqual([("f", 3, 0), ("g", 3, 0)],
                         [(name, lines, count) for _, name, lines, count in self.sizes.cxx_functions(text)])

    def test_fortran(self):
        text = ("module m\ncontains\n  subroutine s(a, b, &\n               c)\n    integer :: a, b, c\n  contains\n"
                "    pure integer function f(x)\n      f = x\n    end function f\n  end subroutine s\nend module m\n")
        self.assertEqual([(3, "s", 8, 3)], list(self.sizes.fortran_functions(text)))

    def test_python_and_shell(self):
        self.assertEqual([(1, "f", 2, 1)], list(self.sizes.python_functions("def f(a):\n    return a\n")))
        self.assertEqual([(2, "f", 3, 0)], list(self.sizes.shell_functions("set -e\nf() {\n  true\n}\n")))


if __name__ == "__main__":
    unittest.main()
