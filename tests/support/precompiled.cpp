// The program of the target that precompiles headers, which needs one. Nothing runs it.
int main() {}
