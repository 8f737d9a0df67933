// Headers of other projects that nearly all MPI tests include, compiled once for all of them (cmake/SvTests.cmake).
// Each test includes its own headers all the same.
#pragma once

#include <mpi.h>
#include <netcdf.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "sverdrup/sverdrup.h"
