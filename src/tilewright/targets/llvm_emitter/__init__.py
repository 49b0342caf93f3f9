"""LLVM IR of a kernel whose threads are loops: the text that `llvmlite` compiles where there is no C++ compiler."""
