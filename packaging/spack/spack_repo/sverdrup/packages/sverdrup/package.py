# Copyright The Sverdrup developers. SPDX-License-Identifier: Apache-2.0

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Sverdrup(CMakePackage):
    """Parallel and asynchronous netCDF output for Earth-system models: a model hands over its
    distributed fields and computes on; Sverdrup writes standard netCDF files at the speed of the
    machine."""

    # Spack 1.0 or newer, in the repository that this file is in:
    # spack repo add packaging/spack/spack_repo/sverdrup; spack dev-build sverdrup@develop
    homepage = "file://sverdrup"
    git = "file://sverdrup"

    license("Apache-2.0")

    version("develop", branch="main")
    version("0.1.0", branch="main")

    variant("fortran", default=True, description="The modules for Fortran, and CFIO's")
    variant(
        "tools",
        default=True,
        description="sv-run, sv-copy, sv-combine, sv-trace, sv-bench, sv-plan and sverdrup",
    )
    variant("python", default=False, description="The library for Python")
    variant(
        "pnetcdf",
        default=True,
        description="The store over PnetCDF, and programs of PnetCDF unchanged (sv-run)",
    )
    variant("netcdf", default=True, description="The stores of netCDF-4")
    variant("zarr", default=True, description="The store zarr")
    variant(
        "grid", default=False, description="Partitions of unstructured grids with METIS (sv-grid)"
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("yaml-cpp")
    depends_on("isa-l")
    depends_on("libdeflate")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("c-blosc")
    depends_on("parallel-netcdf", when="+pnetcdf")
    depends_on("netcdf-c+mpi", when="+netcdf")
    depends_on("hdf5@1.10.5:+mpi", when="+netcdf")
    depends_on("nlohmann-json", when="+zarr")
    depends_on("nlohmann-json", when="+tools")
    depends_on("cli11", when="+tools")
    depends_on("metis", when="+grid")
    depends_on("python@3.11:", type=("build", "run"), when="+tools")
    depends_on("python@3.11:", type=("build", "run"), when="+python")
    depends_on("python@3:", type="build", when="+pnetcdf")
    depends_on("python@3:", type="build", when="+netcdf")
    depends_on("py-numpy", type="run", when="+tools")
    depends_on("py-jinja2", type="run", when="+tools")
    depends_on("py-scipy", type="run", when="+tools")
    depends_on("py-pyyaml", type="run", when="+tools")
    depends_on("py-nanobind@2.4:", type="build", when="+python")
    depends_on("py-mpi4py", type="run", when="+python")
    depends_on("py-numpy", type="run", when="+python")

    generator("ninja")
    conflicts("+python", when="~tools", msg="the library for Python lies beside the tools")

    def cmake_args(self):
        return [
            self.define("SV_BUILD_TESTS", False),
            self.define_from_variant("SV_BUILD_FORTRAN", "fortran"),
            self.define_from_variant("SV_BUILD_TOOLS", "tools"),
            self.define_from_variant("SV_BUILD_PYTHON", "python"),
            self.define_from_variant("SV_USE_PNETCDF", "pnetcdf"),
            self.define_from_variant("SV_USE_NETCDF", "netcdf"),
            self.define_from_variant("SV_USE_ZARR", "zarr"),
            self.define_from_variant("SV_USE_METIS", "grid"),
        ]

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.sverdrup.python)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def smoke(self):
        """The first program in C and in Fortran, against what is installed (P2 of E4S)."""
        Executable(join_path(self.stage.source_path, "scripts", "smoke"))(self.prefix)
