"""What a tensor spread over registers, lanes and warps asks of shared memory: instructions and their wavefronts."""
