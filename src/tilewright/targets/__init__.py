"""Where a kernel goes: the simulator, and C text for a GPU or for the CPU."""
