"""The CPU, by the system's C++ compiler: kernels as loops, the fast path; and the CUDA text literally, as validation.

`loops` runs a kernel whose threads `fission` has made loops, in this process. `compiler` runs the literal text as a
program of its own, one fiber a thread, exact at barriers.
"""
