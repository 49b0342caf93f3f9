extern "C" __global__ void __launch_bounds__(256) transpose_kernel(float* __restrict__ A_ptr, float* __restrict__ B_ptr) {
  alignas(128) __shared__ float tile_ptr[1056];
  tile_ptr[((threadIdx.y + 0) * 33) + threadIdx.x] = A_ptr[(((blockIdx.y * 32) + (threadIdx.y + 0)) * 2048) + ((blockIdx.x * 32) + threadIdx.x)];
  tile_ptr[((threadIdx.y + 8) * 33) + threadIdx.x] = A_ptr[(((blockIdx.y * 32) + (threadIdx.y + 8)) * 2048) + ((blockIdx.x * 32) + threadIdx.x)];
  tile_ptr[((threadIdx.y + 16) * 33) + threadIdx.x] = A_ptr[(((blockIdx.y * 32) + (threadIdx.y + 16)) * 2048) + ((blockIdx.x * 32) + threadIdx.x)];
  tile_ptr[((threadIdx.y + 24) * 33) + threadIdx.x] = A_ptr[(((blockIdx.y * 32) + (threadIdx.y + 24)) * 2048) + ((blockIdx.x * 32) + threadIdx.x)];
  __syncthreads();
  B_ptr[(((blockIdx.x * 32) + (threadIdx.y + 0)) * 2048) + ((blockIdx.y * 32) + threadIdx.x)] = tile_ptr[(threadIdx.x * 33) + (threadIdx.y + 0)];
  B_ptr[(((blockIdx.x * 32) + (threadIdx.y + 8)) * 2048) + ((blockIdx.y * 32) + threadIdx.x)] = tile_ptr[(threadIdx.x * 33) + (threadIdx.y + 8)];
  B_ptr[(((blockIdx.x * 32) + (threadIdx.y + 16)) * 2048) + ((blockIdx.y * 32) + threadIdx.x)] = tile_ptr[(threadIdx.x * 33) + (threadIdx.y + 16)];
  B_ptr[(((blockIdx.x * 32) + (threadIdx.y + 24)) * 2048) + ((blockIdx.y * 32) + threadIdx.x)] = tile_ptr[(threadIdx.x * 33) + (threadIdx.y + 24)];
}
