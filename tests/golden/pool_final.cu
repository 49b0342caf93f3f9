#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(128) staged_kernel(__half* __restrict__ A_ptr, __half* __restrict__ B_ptr) {
  alignas(1024) extern __shared__ unsigned char pool[];
  __half* const tile_ptr = reinterpret_cast<__half*>(pool + 1024);
  tile_ptr[(((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 0)) ^ (((((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 0)) & 448) >> 3)] = A_ptr[(blockIdx.x * 512) + ((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 0)];
  tile_ptr[(((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 1)) ^ (((((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 1)) & 448) >> 3)] = A_ptr[(blockIdx.x * 512) + ((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 1)];
  tile_ptr[(((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 2)) ^ (((((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 2)) & 448) >> 3)] = A_ptr[(blockIdx.x * 512) + ((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 2)];
  tile_ptr[(((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 3)) ^ (((((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 3)) & 448) >> 3)] = A_ptr[(blockIdx.x * 512) + ((threadIdx.x >> 4) * 64) + (((threadIdx.x & 15) * 4) + 3)];
  __syncthreads();
  B_ptr[(blockIdx.x * 512) + ((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (0 * 16))] = tile_ptr[(((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (0 * 16))) ^ (((((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (0 * 16))) & 448) >> 3)];
  B_ptr[(blockIdx.x * 512) + ((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (1 * 16))] = tile_ptr[(((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (1 * 16))) ^ (((((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (1 * 16))) & 448) >> 3)];
  B_ptr[(blockIdx.x * 512) + ((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (2 * 16))] = tile_ptr[(((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (2 * 16))) ^ (((((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (2 * 16))) & 448) >> 3)];
  B_ptr[(blockIdx.x * 512) + ((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (3 * 16))] = tile_ptr[(((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (3 * 16))) ^ (((((threadIdx.x & 7) * 64) + ((threadIdx.x >> 3) + (3 * 16))) & 448) >> 3)];
}
