"""CUDA: cubins by NVRTC, which needs no GPU, and launches through the driver where there is one."""
