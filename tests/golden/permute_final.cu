extern "C" __global__ void __launch_bounds__(32) f_kernel(float* __restrict__ A_buf_ptr, float* __restrict__ B_buf_ptr) {
  for (int s = 0; s < 2; ++s) {
    alignas(64) float regs_ptr[4];
    regs_ptr[0] = A_buf_ptr[(s * 128) + (((0 ^ ((threadIdx.x >> 3) & 3)) & 3) * 32) + threadIdx.x];
    regs_ptr[1] = A_buf_ptr[(s * 128) + (((1 ^ ((threadIdx.x >> 3) & 3)) & 3) * 32) + threadIdx.x];
    regs_ptr[2] = A_buf_ptr[(s * 128) + (((2 ^ ((threadIdx.x >> 3) & 3)) & 3) * 32) + threadIdx.x];
    regs_ptr[3] = A_buf_ptr[(s * 128) + (((3 ^ ((threadIdx.x >> 3) & 3)) & 3) * 32) + threadIdx.x];
    __syncwarp();
    B_buf_ptr[(s * 128) + (threadIdx.x * 4) + ((0 ^ ((threadIdx.x >> 3) & 3)) & 3)] = regs_ptr[0];
    B_buf_ptr[(s * 128) + (threadIdx.x * 4) + ((1 ^ ((threadIdx.x >> 3) & 3)) & 3)] = regs_ptr[1];
    B_buf_ptr[(s * 128) + (threadIdx.x * 4) + ((2 ^ ((threadIdx.x >> 3) & 3)) & 3)] = regs_ptr[2];
    B_buf_ptr[(s * 128) + (threadIdx.x * 4) + ((3 ^ ((threadIdx.x >> 3) & 3)) & 3)] = regs_ptr[3];
    __syncwarp();
  }
}
