// The rest of libcudart.so.13 that libtorch links against, beside fake_cuda.cpp: kernels do nothing, copies from the device give zeros,
// host memory is real. So real PyTorch programs run with real allocations, real stacks and real out-of-memory errors, and garbage for values.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cstdlib>
#include <cstring>
#define API extern "C" __attribute__((visibility("default")))
static void* token() { static char t[4096]; static int n = 0; return t + (n++ % 4000); }
static thread_local struct { dim3 g, b; size_t s; void* st; } cfg;
static bool on_device(const void* p) { return (uint64_t)p >= 0x100000000000ull && (uint64_t)p < 0x700000000000ull; }
static cudaError_t copy(void* d, const void* s, size_t n, cudaMemcpyKind) { if (!n || on_device(d)) return cudaSuccess; if (on_device(s)) memset(d, 0, n); else memmove(d, s, n); return cudaSuccess; }
API void** __cudaRegisterFatBinary(void*) { return (void**)token(); }
API void __cudaRegisterFatBinaryEnd(void**) {}
API void __cudaUnregisterFatBinary(void**) {}
API void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*) {}
API void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
API char __cudaInitModule(void**) { return 1; }
API unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t s, void* st) { cfg = {g, b, s, st}; return 0; }
API cudaError_t __cudaPopCallConfiguration(dim3* g, dim3* b, size_t* s, void* st) { *g = cfg.g; *b = cfg.b; *s = cfg.s; *(void**)st = cfg.st; return cudaSuccess; }
API cudaError_t __cudaGetKernel(cudaKernel_t* k, const void*) { *k = (cudaKernel_t)token(); return cudaSuccess; }
API cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return cudaSuccess; }
API cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int) {
  switch (a) { case cudaDevAttrMultiProcessorCount: *v = 132; break; case cudaDevAttrComputeCapabilityMajor: *v = 9; break; case cudaDevAttrMaxThreadsPerBlock: *v = 1024; break; case cudaDevAttrWarpSize: *v = 32; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *v = 2048; break; case cudaDevAttrMaxSharedMemoryPerBlock: *v = 49152; break; case cudaDevAttrMaxSharedMemoryPerBlockOptin: *v = 232448; break; case cudaDevAttrMaxGridDimX: *v = 2147483647; break;
    case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *v = 65535; break; case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: *v = 1024; break; case cudaDevAttrMaxBlockDimZ: *v = 64; break; default: *v = 0; } return cudaSuccess; }
API cudaError_t cudaDeviceGetPCIBusId(char* s, int n, int) { strncpy(s, "0000:01:00.0", n); return cudaSuccess; }
API cudaError_t cudaEventCreate(cudaEvent_t* e);
extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned); extern "C" cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t); extern "C" cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned, int);
API cudaError_t cudaEventCreate(cudaEvent_t* e) { return cudaEventCreateWithFlags(e, 0); }
API cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) { return cudaEventRecord(e, s); }
API cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithPriority(s, 0, 0); }
API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned f) { return cudaStreamCreateWithPriority(s, f, 0); }
API cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaStreamGetPriority(cudaStream_t, int* p) { *p = 0; return cudaSuccess; }
API cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void* d, unsigned) { f(s, cudaSuccess, d); return cudaSuccess; }
API cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t f, void* d) { f(d); return cudaSuccess; }
API cudaError_t cudaHostAlloc(void** p, size_t n, unsigned) { *p = aligned_alloc(4096, (n + 4095) / 4096 * 4096); return *p ? cudaSuccess : cudaErrorMemoryAllocation; }
API cudaError_t cudaFreeHost(void* p) { free(p); return cudaSuccess; }
API cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
API cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void*) { memset(a, 0, sizeof *a); a->maxThreadsPerBlock = 1024; a->numRegs = 32; a->ptxVersion = a->binaryVersion = 90; a->maxDynamicSharedSizeBytes = 232448; return cudaSuccess; }
API cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute, int, int) { return cudaSuccess; }
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void*, int, size_t, unsigned) { *n = 2; return cudaSuccess; }
API cudaError_t cudaGetSymbolAddress(void** p, const void*) { *p = token(); return cudaSuccess; }
API cudaError_t cudaMemcpyToSymbol(const void*, const void*, size_t, size_t, cudaMemcpyKind) { return cudaSuccess; }
API cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaMemset(void*, int, size_t) { return cudaSuccess; }
API cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaMemcpy(void* d, const void* s, size_t n, cudaMemcpyKind k) { return copy(d, s, n, k); }
API cudaError_t cudaMemcpyAsync(void* d, const void* s, size_t n, cudaMemcpyKind k, cudaStream_t) { return copy(d, s, n, k); }
API cudaError_t cudaMemcpyPeerAsync(void*, int, const void*, int, size_t, cudaStream_t) { return cudaSuccess; }
API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) { memset(a, 0, sizeof *a); a->type = on_device(p) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered; a->devicePointer = (void*)p; return cudaSuccess; }
API cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
API cudaError_t cudaRuntimeGetVersion(int* v) { *v = 13000; return cudaSuccess; }
API cudaError_t cudaProfilerStart() { return cudaSuccess; }
API cudaError_t cudaProfilerStop() { return cudaSuccess; }
