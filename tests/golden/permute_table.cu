static __device__ const unsigned char table[] = {
  85, 86, 87, 93, 94, 95, 96, 97, 98, 99, 100, 104, 105, 106, 107, 108,
  60, 62, 63, 68, 70, 71, 72, 73, 74, 75, 80, 81, 82, 83, 101, 109,
  36, 37, 39, 44, 45, 47, 48, 49, 50, 51, 56, 57, 58, 59, 102, 110,
  12, 13, 14, 20, 21, 22, 24, 25, 26, 27, 32, 33, 34, 35, 103, 111,
  0, 1, 2, 3, 8, 9, 10, 11, 52, 53, 54, 55, 76, 77, 78, 79,
  4, 5, 6, 7, 28, 29, 30, 31, 64, 65, 66, 67, 88, 89, 90, 91,
  15, 16, 17, 18, 19, 23, 38, 40, 41, 42, 43, 46, 61, 69, 84, 92,
  112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127
};
extern "C" __global__ void __launch_bounds__(32) f_kernel(double* __restrict__ A_buf_ptr, double* __restrict__ B_buf_ptr) {
  alignas(64) double regs_ptr[4];
  const int element = table[threadIdx.x + (0 * 32)];
  if (element < 108) {
    regs_ptr[0] = A_buf_ptr[element];
  }
  const int element_1 = table[threadIdx.x + (1 * 32)];
  if (element_1 < 108) {
    regs_ptr[1] = A_buf_ptr[element_1];
  }
  const int element_2 = table[threadIdx.x + (2 * 32)];
  if (element_2 < 108) {
    regs_ptr[2] = A_buf_ptr[element_2];
  }
  const int element_3 = table[threadIdx.x + (3 * 32)];
  if (element_3 < 108) {
    regs_ptr[3] = A_buf_ptr[element_3];
  }
  __syncwarp();
  const int element_4 = table[threadIdx.x + (0 * 32)];
  if (element_4 < 108) {
    B_buf_ptr[((element_4 / 36) * 12) + (((element_4 / 12) % 3) * 36) + (element_4 % 12)] = regs_ptr[0];
  }
  const int element_5 = table[threadIdx.x + (1 * 32)];
  if (element_5 < 108) {
    B_buf_ptr[((element_5 / 36) * 12) + (((element_5 / 12) % 3) * 36) + (element_5 % 12)] = regs_ptr[1];
  }
  const int element_6 = table[threadIdx.x + (2 * 32)];
  if (element_6 < 108) {
    B_buf_ptr[((element_6 / 36) * 12) + (((element_6 / 12) % 3) * 36) + (element_6 % 12)] = regs_ptr[2];
  }
  const int element_7 = table[threadIdx.x + (3 * 32)];
  if (element_7 < 108) {
    B_buf_ptr[((element_7 / 36) * 12) + (((element_7 / 12) % 3) * 36) + (element_7 % 12)] = regs_ptr[3];
  }
  __syncwarp();
}
