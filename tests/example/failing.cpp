// A test that fails on every rank: every_failure.sh checks that all ranks report it.
#include "support/check.hpp"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  svtest::require(false, "as intended");
  return MPI_Finalize();
}
