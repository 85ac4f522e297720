// Fake CUDA runtime (libcudart.so.13) + fake driver entry points.
// No memory is ever backed; only address/capacity/stream/event bookkeeping.
// The semantics are in ../data/golden/caching/README.md.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace {
constexpr uint64_t MiB = 1ull << 20;
constexpr uint64_t BASE = 0x100000000000ull;         // relative address 0
constexpr uint64_t MALLOC_VA = BASE;                 // cudaMalloc region
constexpr uint64_t MALLOC_VA_SIZE = 0x100000000000ull; // 16 TiB
constexpr uint64_t VMM_VA = BASE + MALLOC_VA_SIZE;   // cuMemAddressReserve region
constexpr uint64_t VMM_VA_SIZE = 0x400000000000ull;  // 64 TiB

uint64_t envu(const char* n, uint64_t d) {
  const char* s = getenv(n);
  return s && *s ? strtoull(s, nullptr, 0) : d;
}

// lowest-address first fit
struct VA {
  std::map<uint64_t, uint64_t> free_; // addr -> size
  VA(uint64_t b, uint64_t s) { free_[b] = s; }
  uint64_t take(uint64_t n) {
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      if (it->second >= n) {
        uint64_t a = it->first, s = it->second;
        free_.erase(it);
        if (s > n) free_[a + n] = s - n;
        return a;
      }
    }
    return 0;
  }
  void give(uint64_t a, uint64_t n) {
    static const bool bump = getenv("FAKE_VA_POLICY") && !strcmp(getenv("FAKE_VA_POLICY"), "bump");
    if (bump) return; // debugging aid: addresses are never reused
    auto nx = free_.lower_bound(a);
    if (nx != free_.end() && a + n == nx->first) { n += nx->second; nx = free_.erase(nx); }
    if (nx != free_.begin()) {
      auto pv = std::prev(nx);
      if (pv->first + pv->second == a) { pv->second += n; return; }
    }
    free_[a] = n;
  }
};

struct Stream { uint64_t enq = 0, done = 0; int cap = 0; uint64_t cap_id = 0; };
struct Event { bool recorded = false; void* stream = nullptr; uint64_t target = 0; };
struct Phys { uint64_t size; int maps = 0; bool released = false; };

struct Dev {
  std::mutex m;
  uint64_t capacity = envu("FAKE_GPU_BYTES", 16ull << 30);
  uint64_t gran = envu("FAKE_GPU_GRANULARITY", 2 * MiB);
  uint64_t external = envu("FAKE_GPU_EXTERNAL", 0); // bytes held by "others"
  uint64_t used = 0;
  VA mva{MALLOC_VA, MALLOC_VA_SIZE}, vva{VMM_VA, VMM_VA_SIZE};
  std::unordered_map<uint64_t, uint64_t> mallocs;  // addr -> rounded size
  std::unordered_map<uint64_t, uint64_t> reserves; // addr -> size
  std::unordered_map<uint64_t, Phys> phys;
  std::unordered_map<uint64_t, std::pair<uint64_t, uint64_t>> maps; // addr -> (handle,size)
  uint64_t next_handle = 1;
  std::map<void*, Stream> streams;
  uint64_t next_cap = 1;
  // counters
  uint64_t n_malloc = 0, n_free = 0, n_create = 0, n_release = 0, n_map = 0, n_unmap = 0,
           n_reserve = 0, n_addrfree = 0, n_evrec = 0, n_evquery = 0, n_evsync = 0, n_meminfo = 0;
  uint64_t up(uint64_t n) { return (n + gran - 1) / gran * gran; }
  bool fits(uint64_t n) { return used + external + n <= capacity; }
};
Dev& D() { static Dev* d = new Dev; return *d; }
thread_local cudaError_t g_last = cudaSuccess;
thread_local int g_dev = 0;
cudaError_t E(cudaError_t e) { if (e != cudaSuccess) g_last = e; return e; }
using L = std::lock_guard<std::mutex>;

// ---------------- driver API ----------------
CUresult f_cuDeviceGet(CUdevice* d, int o) { *d = o; return CUDA_SUCCESS; }
CUresult f_cuDeviceGetAttribute(int* v, CUdevice_attribute, CUdevice) { *v = 0; return CUDA_SUCCESS; }
CUresult f_cuMemGetAddressRange(CUdeviceptr*, size_t*, CUdeviceptr) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult f_cuMemAddressReserve(CUdeviceptr* p, size_t n, size_t, CUdeviceptr, unsigned long long) {
  L l(D().m);
  n = D().up(n);
  uint64_t a = D().vva.take(n);
  if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
  D().reserves[a] = n; D().n_reserve++;
  *p = a;
  return CUDA_SUCCESS;
}
CUresult f_cuMemAddressFree(CUdeviceptr p, size_t) {
  L l(D().m);
  auto it = D().reserves.find(p);
  if (it == D().reserves.end()) return CUDA_ERROR_INVALID_VALUE;
  D().vva.give(p, it->second);
  D().reserves.erase(it); D().n_addrfree++;
  return CUDA_SUCCESS;
}
CUresult f_cuMemCreate(CUmemGenericAllocationHandle* h, size_t n, const CUmemAllocationProp*, unsigned long long) {
  L l(D().m);
  if (n == 0 || n % D().gran) return CUDA_ERROR_INVALID_VALUE;
  if (!D().fits(n)) return CUDA_ERROR_OUT_OF_MEMORY;
  D().used += n; D().n_create++;
  *h = D().next_handle++;
  D().phys[*h] = Phys{n};
  return CUDA_SUCCESS;
}
void drop(uint64_t h) {
  auto it = D().phys.find(h);
  if (it != D().phys.end() && it->second.released && it->second.maps == 0) {
    D().used -= it->second.size;
    D().phys.erase(it);
  }
}
CUresult f_cuMemRelease(CUmemGenericAllocationHandle h) {
  L l(D().m);
  auto it = D().phys.find(h);
  if (it == D().phys.end() || it->second.released) return CUDA_ERROR_INVALID_VALUE;
  it->second.released = true; D().n_release++;
  drop(h);
  return CUDA_SUCCESS;
}
CUresult f_cuMemMap(CUdeviceptr p, size_t n, size_t off, CUmemGenericAllocationHandle h, unsigned long long) {
  L l(D().m);
  auto it = D().phys.find(h);
  if (it == D().phys.end() || off != 0 || it->second.size != n || D().maps.count(p)) return CUDA_ERROR_INVALID_VALUE;
  it->second.maps++; D().maps[p] = {h, n}; D().n_map++;
  return CUDA_SUCCESS;
}
CUresult f_cuMemUnmap(CUdeviceptr p, size_t n) {
  L l(D().m);
  auto it = D().maps.find(p);
  if (it == D().maps.end() || it->second.second != n) return CUDA_ERROR_INVALID_VALUE;
  uint64_t h = it->second.first;
  D().maps.erase(it); D().n_unmap++;
  D().phys[h].maps--;
  drop(h);
  return CUDA_SUCCESS;
}
CUresult f_cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) { return CUDA_SUCCESS; }
CUresult f_cuMemGetAllocationGranularity(size_t* g, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) { *g = D().gran; return CUDA_SUCCESS; }
CUresult f_cuGetErrorString(CUresult e, const char** s) {
  switch (e) {
    case CUDA_SUCCESS: *s = "no error"; break;
    case CUDA_ERROR_INVALID_VALUE: *s = "invalid argument"; break;
    case CUDA_ERROR_OUT_OF_MEMORY: *s = "out of memory"; break;
    case CUDA_ERROR_NOT_SUPPORTED: *s = "operation not supported"; break;
    default: *s = "unknown error";
  }
  return CUDA_SUCCESS;
}
CUresult f_unsupported() { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult f_ok() { return CUDA_SUCCESS; }
} // namespace

extern "C" {
#define API __attribute__((visibility("default")))
API cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(const char* sym, void** fn, unsigned int, unsigned long long, cudaDriverEntryPointQueryResult* q) {
  static const std::unordered_map<std::string, void*> t = {
#define X(n) {#n, (void*)f_##n}
      X(cuDeviceGet), X(cuDeviceGetAttribute), X(cuMemGetAddressRange), X(cuMemAddressReserve), X(cuMemAddressFree),
      X(cuMemCreate), X(cuMemRelease), X(cuMemMap), X(cuMemUnmap), X(cuMemSetAccess), X(cuMemGetAllocationGranularity),
      X(cuGetErrorString)};
#undef X
  auto it = t.find(sym);
  if (it != t.end()) *fn = it->second;
  else if (!strcmp(sym, "cuLogsRegisterCallback") || !strcmp(sym, "cuLogsUnregisterCallback")) *fn = (void*)f_ok;
  else *fn = (void*)f_unsupported;
  if (q) *q = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
API cudaError_t CUDARTAPI cudaMalloc(void** p, size_t n) {
  L l(D().m);
  if (n == 0) { *p = nullptr; return cudaSuccess; }
  uint64_t r = D().up(n);
  if (!D().fits(r)) return E(cudaErrorMemoryAllocation);
  uint64_t a = D().mva.take(r);
  if (!a) return E(cudaErrorMemoryAllocation);
  D().used += r; D().mallocs[a] = r; D().n_malloc++;
  *p = (void*)a;
  return cudaSuccess;
}
API cudaError_t CUDARTAPI cudaFree(void* p) {
  if (!p) return cudaSuccess;
  L l(D().m);
  auto it = D().mallocs.find((uint64_t)p);
  if (it == D().mallocs.end()) return E(cudaErrorInvalidValue);
  D().used -= it->second;
  D().mva.give(it->first, it->second);
  D().mallocs.erase(it); D().n_free++;
  return cudaSuccess;
}
API cudaError_t CUDARTAPI cudaMemGetInfo(size_t* f, size_t* t) {
  L l(D().m);
  D().n_meminfo++;
  uint64_t u = D().used + D().external;
  *t = D().capacity; *f = u > D().capacity ? 0 : D().capacity - u;
  return cudaSuccess;
}
API cudaError_t CUDARTAPI cudaGetLastError() { auto e = g_last; g_last = cudaSuccess; return e; }
API cudaError_t CUDARTAPI cudaGetDevice(int* d) { *d = g_dev; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaSetDevice(int d) { g_dev = d; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaGetDeviceCount(int* n) { *n = (int)envu("FAKE_GPU_COUNT", 1); return cudaSuccess; }
API cudaError_t CUDARTAPI cudaDriverGetVersion(int* v) { *v = 13000; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp* p, int) {
  memset(p, 0, sizeof(*p));
  strcpy(p->name, "FAKE GPU");
  p->totalGlobalMem = D().capacity;
  p->major = 9; p->minor = 0; p->multiProcessorCount = 132; p->warpSize = 32;
  p->pciDomainID = 0; p->pciBusID = 1; p->pciDeviceID = 0;
  p->maxThreadsPerBlock = 1024; p->maxThreadsPerMultiProcessor = 2048;
  return cudaSuccess;
}
API cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int* lo, int* hi) { *lo = 0; *hi = -5; return cudaSuccess; }
API const char* CUDARTAPI cudaGetErrorString(cudaError_t e) {
  switch (e) { case cudaSuccess: return "no error"; case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidValue: return "invalid argument"; case cudaErrorNotReady: return "device not ready";
    case cudaErrorNotSupported: return "operation not supported"; default: return "unknown error"; }
}
API const char* CUDARTAPI cudaGetErrorName(cudaError_t e) {
  switch (e) { case cudaSuccess: return "cudaSuccess"; case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue"; case cudaErrorNotReady: return "cudaErrorNotReady";
    case cudaErrorNotSupported: return "cudaErrorNotSupported"; default: return "cudaErrorUnknown"; }
}
// ---- streams / events ----
API cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) {
  static uint64_t next = 0x7000000; *s = (cudaStream_t)next; next += 0x100; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t s) { L l(D().m); auto& x = D().streams[s]; x.done = x.enq; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t s) { L l(D().m); auto& x = D().streams[s]; return x.done == x.enq ? cudaSuccess : E(cudaErrorNotReady); }
API cudaError_t CUDARTAPI cudaDeviceSynchronize() { L l(D().m); for (auto& kv : D().streams) kv.second.done = kv.second.enq; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
API cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* st) {
  L l(D().m); auto it = D().streams.find(s);
  *st = it != D().streams.end() && it->second.cap ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus* st, unsigned long long* id, cudaGraph_t* g,
    const cudaGraphNode_t** deps, const cudaGraphEdgeData** ed, size_t* n) {
  L l(D().m); auto it = D().streams.find(s);
  bool c = it != D().streams.end() && it->second.cap;
  *st = c ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (id) *id = c ? it->second.cap_id : 0;
  if (g) *g = c ? (cudaGraph_t)(it->second.cap_id * 0x100) : nullptr;
  if (deps) *deps = nullptr; if (ed) *ed = nullptr; if (n) *n = 0;
  return cudaSuccess; }
API cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* m) {
  static thread_local cudaStreamCaptureMode cur = cudaStreamCaptureModeGlobal; std::swap(cur, *m); return cudaSuccess; }
API cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { *e = (cudaEvent_t) new Event; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t e) { delete (Event*)e; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  L l(D().m); auto& x = D().streams[s]; D().n_evrec++;
  auto* ev = (Event*)e; ev->recorded = true; ev->stream = s; ev->target = ++x.enq; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t e) {
  L l(D().m); D().n_evquery++; auto* ev = (Event*)e;
  if (!ev->recorded || D().streams[ev->stream].done >= ev->target) return cudaSuccess;
  return E(cudaErrorNotReady); }
API cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t e) {
  L l(D().m); D().n_evsync++; auto* ev = (Event*)e;
  if (ev->recorded) { auto& x = D().streams[ev->stream]; if (x.done < ev->target) x.done = ev->target; }
  return cudaSuccess; }
API cudaError_t CUDARTAPI cudaEventElapsedTime(float* f, cudaEvent_t, cudaEvent_t) { *f = 0; return cudaSuccess; }
// ---- misc, unused by the native allocator ----
#define STUB(name, ...) API cudaError_t CUDARTAPI name(__VA_ARGS__) { return E(cudaErrorNotSupported); }
API cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int* c, int, int) { *c = 1; return cudaSuccess; }
API cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
STUB(cudaDeviceGetDefaultMemPool, cudaMemPool_t*, int)
STUB(cudaDeviceGetGraphMemAttribute, int, cudaGraphMemAttributeType, void*)
STUB(cudaDeviceSetGraphMemAttribute, int, cudaGraphMemAttributeType, void*)
STUB(cudaFreeAsync, void*, cudaStream_t)
STUB(cudaMallocAsync, void**, size_t, cudaStream_t)
STUB(cudaGraphNodeGetDependencies, cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*)
STUB(cudaIpcCloseMemHandle, void*)
STUB(cudaIpcGetMemHandle, cudaIpcMemHandle_t*, void*)
STUB(cudaIpcOpenMemHandle, void**, cudaIpcMemHandle_t, unsigned)
STUB(cudaMemPoolGetAttribute, cudaMemPool_t, cudaMemPoolAttr, void*)
STUB(cudaMemPoolSetAccess, cudaMemPool_t, const cudaMemAccessDesc*, size_t)
STUB(cudaMemPoolSetAttribute, cudaMemPool_t, cudaMemPoolAttr, void*)
STUB(cudaMemPoolTrimTo, cudaMemPool_t, size_t)
STUB(cudaMemcpy, void*, const void*, size_t, cudaMemcpyKind)
STUB(cudaMemcpyAsync, void*, const void*, size_t, cudaMemcpyKind, cudaStream_t)
STUB(cudaMemcpyPeerAsync, void*, int, const void*, int, size_t, cudaStream_t)

// ---------------- control API for the harness ----------------
API void fake_sync_stream(void* s) { L l(D().m); auto& x = D().streams[s]; x.done = x.enq; }
API void fake_advance(void* s, uint64_t n) { L l(D().m); auto& x = D().streams[s]; x.done = std::min(x.enq, x.done + n); }
API void fake_sync_all() { L l(D().m); for (auto& kv : D().streams) kv.second.done = kv.second.enq; }
API void fake_set_external(uint64_t b) { L l(D().m); D().external = b; }
API uint64_t fake_base() { return BASE; }
API uint64_t fake_used() { L l(D().m); return D().used; }
API uint64_t fake_capacity() { return D().capacity; }
API uint64_t fake_external() { return D().external; }
API uint64_t fake_capture(void* s, uint64_t join) { L l(D().m); auto& x = D().streams[s]; x.cap = 1; x.cap_id = join ? join : D().next_cap++; return x.cap_id; }
API void fake_capture_end(uint64_t id) { L l(D().m); for (auto& kv : D().streams) if (kv.second.cap && kv.second.cap_id == id) { kv.second.cap = 0; kv.second.cap_id = 0; } }
API uint64_t fake_capture_id(void* s) { L l(D().m); auto it = D().streams.find(s); return it == D().streams.end() || !it->second.cap ? 0 : it->second.cap_id; }
API void fake_counters(uint64_t* o) { auto& d = D(); uint64_t v[] = {d.n_malloc, d.n_free, d.n_create, d.n_release, d.n_map, d.n_unmap, d.n_reserve, d.n_addrfree, d.n_evrec, d.n_evquery, d.n_evsync, d.n_meminfo}; memcpy(o, v, sizeof v); }
}
