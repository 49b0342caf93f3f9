extern "C" __global__ void __launch_bounds__(32) f_kernel(double* __restrict__ A_buf_ptr, double* __restrict__ B_buf_ptr) {
  alignas(64) double regs_ptr[4];
  regs_ptr[0] = A_buf_ptr[(((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((0 & 1) << 1) ^ ((0 & 2) << 2))];
  regs_ptr[1] = A_buf_ptr[(((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((1 & 1) << 1) ^ ((1 & 2) << 2))];
  regs_ptr[2] = A_buf_ptr[(((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((2 & 1) << 1) ^ ((2 & 2) << 2))];
  regs_ptr[3] = A_buf_ptr[(((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((3 & 1) << 1) ^ ((3 & 2) << 2))];
  __syncwarp();
  const unsigned int v = (((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((0 & 1) << 1) ^ ((0 & 2) << 2));
  B_buf_ptr[((v >> 4) * 2) + (((v >> 3) & 1) * 64) + ((v >> 2) & 1) + ((v & 3) * 16)] = regs_ptr[0];
  const unsigned int v_1 = (((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((1 & 1) << 1) ^ ((1 & 2) << 2));
  B_buf_ptr[((v_1 >> 4) * 2) + (((v_1 >> 3) & 1) * 64) + ((v_1 >> 2) & 1) + ((v_1 & 3) * 16)] = regs_ptr[1];
  const unsigned int v_2 = (((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((2 & 1) << 1) ^ ((2 & 2) << 2));
  B_buf_ptr[((v_2 >> 4) * 2) + (((v_2 >> 3) & 1) * 64) + ((v_2 >> 2) & 1) + ((v_2 & 3) * 16)] = regs_ptr[2];
  const unsigned int v_3 = (((((threadIdx.x & 8) ^ ((threadIdx.x & 6) >> 1)) ^ ((threadIdx.x & 1) << 2)) ^ ((threadIdx.x & 14) << 3)) ^ ((threadIdx.x & 16) >> 4)) ^ (((3 & 1) << 1) ^ ((3 & 2) << 2));
  B_buf_ptr[((v_3 >> 4) * 2) + (((v_3 >> 3) & 1) * 64) + ((v_3 >> 2) & 1) + ((v_3 & 3) * 16)] = regs_ptr[3];
  __syncwarp();
}
