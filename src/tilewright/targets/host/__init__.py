"""The host: CUDA text compiled by g++ and run on the CPU, one fiber a thread, exact at barriers."""
