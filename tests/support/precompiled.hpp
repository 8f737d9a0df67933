// What nearly all MPI tests include of other projects, compiled once for all of them (cmake/SvTests.cmake). Each test
// includes what it needs all the same.
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
