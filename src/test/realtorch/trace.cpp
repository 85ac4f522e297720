// Runs a trace of PyTorch's caching allocator with PyTorch's own allocator (libc10_cuda.so) on the simulated device of
// fake_cuda.cpp, and writes the records that our replay of the same trace must write.
// usage: trace TRACE > expected.jsonl, with the case's configuration in the environment
#include <c10/core/AllocatorConfig.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/PeerToPeerAccess.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

extern "C" {
void fake_sync_stream(void*);
void fake_advance(void*, uint64_t);
void fake_sync_all();
void fake_set_external(uint64_t);
uint64_t fake_base();
uint64_t fake_used();
uint64_t fake_capture(void*, uint64_t);
void fake_capture_end(uint64_t);
uint64_t fake_capture_id(void*);
void fake_counters(uint64_t*);
}

namespace c10::cuda::_internal {
C10_CUDA_API void setHasPrimaryContext(bool (*)(c10::DeviceIndex));
}

using namespace c10::cuda::CUDACachingAllocator;
using c10::CachingDeviceAllocator::TraceEntry;
using c10::CachingAllocator::Stat;
using c10::CachingAllocator::StatArray;
using c10::cuda::CUDAStream;

static int line_number;
static std::string operation;
static cudaStream_t handles[8];
static std::map<void*, int> stream_numbers;
static std::map<std::pair<uint64_t, uint64_t>, uint64_t> captures; // pool id -> capture id

static CUDAStream stream(int k) {
  return k == 0 ? c10::cuda::getDefaultCUDAStream(0) : c10::cuda::getStreamFromExternal(handles[k], 0);
}

/// Handles that ascend, and that the allocator's hash map of streams iterates in ascending order: the map multiplies the
/// hash by 2^64 / golden ratio and takes the top bits. The default stream is in the first slot.
static void choose_handles() {
  uint64_t handle = 0x7000000;
  stream_numbers[nullptr] = 0;
  for (int k = 1; k < 8; k++, handle += 0x100) {
    if (k < 4)
      while ((std::hash<CUDAStream>{}(c10::cuda::getStreamFromExternal((cudaStream_t)handle, 0)) * 11400714819323198485ull) >> 61 != 2u * k) handle += 0x100;
    handles[k] = (cudaStream_t)handle;
    stream_numbers[handles[k]] = k;
  }
}

static std::string quoted(const std::string& s) {
  std::string r = "\"";
  for (unsigned char c : s) {
    if (c == '"' || c == '\\') { r += '\\'; r += c; }
    else if (c == '\n') r += "\\n";
    else if (c == '\t') r += "\\t";
    else r += c;
  }
  return r + '"';
}
static std::string begin() { return "{\"line\":" + std::to_string(line_number) + ",\"op\":" + quoted(operation); }
static void put(const std::string& fields) { std::cout << begin() << fields << "}\n"; }
static std::string num(const char* name, int64_t v) { return std::string(",\"") + name + "\":" + std::to_string(v); }
static int64_t relative(const void* p) { return p ? (int64_t)((uint64_t)p - fake_base()) : -1; }
static std::string json(const Stat& s) {
  return "{\"current\":" + std::to_string(s.current) + ",\"peak\":" + std::to_string(s.peak) + ",\"allocated\":" + std::to_string(s.allocated) + ",\"freed\":" + std::to_string(s.freed) + "}";
}
static std::string json(const StatArray& a) { return "{\"all\":" + json(a[0]) + ",\"small_pool\":" + json(a[1]) + ",\"large_pool\":" + json(a[2]) + "}"; }
static std::string json(const c10::MempoolId_t& id) { return "[" + std::to_string(id.first) + "," + std::to_string(id.second) + "]"; }

static void stats() {
  auto s = get()->getDeviceStats(0);
  std::string o;
  auto array = [&](const char* n, const StatArray& a) { o += std::string(",\"") + n + "\":" + json(a); };
  array("allocation", s.allocation); array("segment", s.segment); array("active", s.active); array("inactive_split", s.inactive_split);
  array("allocated_bytes", s.allocated_bytes); array("reserved_bytes", s.reserved_bytes); array("active_bytes", s.active_bytes);
  array("inactive_split_bytes", s.inactive_split_bytes); array("requested_bytes", s.requested_bytes);
  o += ",\"oversize_allocations\":" + json(s.oversize_allocations) + ",\"oversize_segments\":" + json(s.oversize_segments);
  o += num("num_alloc_retries", s.num_alloc_retries) + num("num_ooms", s.num_ooms) + num("num_sync_all_streams", s.num_sync_all_streams) +
      num("num_device_alloc", s.num_device_alloc) + num("num_device_free", s.num_device_free) + num("num_oom_rejections", s.num_oom_rejections) + num("max_split_size", s.max_split_size);
  o += ",\"reserved_bytes_by_private_pools\":{";
  std::map<std::pair<uint64_t, uint64_t>, StatArray> sorted;
  for (auto& e : s.reserved_bytes_by_private_pools) sorted[e.first] = e.second;
  bool first = true;
  for (auto& [id, a] : sorted) { o += std::string(first ? "" : ",") + "\"(" + std::to_string(id.first) + ", " + std::to_string(id.second) + ")\":" + json(a); first = false; }
  put(o + "}" + num("device_used", fake_used()));
}

static const char* name(TraceEntry::Action a) {
  static const char* names[] = {"alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map", "segment_unmap", "snapshot", "oom", "annotate"};
  return names[a];
}

static std::string settings(const AllocatorConfigInfo& c) {
  auto flag = [](const char* n, bool v) { return std::string(",\"") + n + "\":" + (v ? "true" : "false"); };
  std::ostringstream threshold;
  threshold.precision(17);
  threshold << c.garbage_collection_threshold;
  std::string divisions;
  for (auto d : c.roundup_power2_divisions) divisions += (divisions.empty() ? "" : ",") + std::to_string(d);
  return ",\"allocator_settings\":{\"PYTORCH_CUDA_ALLOC_CONF\":" + quoted(c.last_allocator_settings) + num("max_split_size", c.max_split_size) + ",\"garbage_collection_threshold\":" + threshold.str() +
      flag("expandable_segments", c.expandable_segments) + num("pinned_num_register_threads", c.pinned_num_register_threads) + flag("release_lock_on_cudamalloc", c.release_lock_on_malloc) +
      flag("pinned_use_cuda_host_register", c.pinned_use_host_register) + flag("graph_capture_record_stream_reuse", c.graph_capture_record_stream_reuse) +
      num("max_round_threshold", c.max_round_threshold) + num("max_cached_size", c.max_cached_size) + ",\"roundup_power2_divisions\":[" + divisions + "]}";
}

static void write_snapshot(c10::MempoolId_t id, bool full) {
  auto s = get()->snapshot(id);
  std::string o = ",\"segments\":[";
  bool first = true;
  for (auto& g : s.segments) {
    o += std::string(first ? "" : ",") + "{\"address\":" + std::to_string(relative((void*)g.address)) + num("total_size", g.total_size) + num("stream", stream_numbers.at(g.stream)) +
        ",\"segment_type\":\"" + (g.is_large ? "large" : "small") + "\",\"is_expandable\":" + (g.is_expandable ? "true" : "false") + ",\"segment_pool_id\":" + json(g.owner_private_pool_id) +
        num("registration_counter", g.registration_counter) + num("allocated_size", g.allocated_size) + num("active_size", g.active_size) + num("requested_size", g.requested_size) + num("device", g.device) + ",\"blocks\":[";
    first = false;
    int64_t at = relative((void*)g.address);
    for (size_t i = 0; i < g.blocks.size(); i++) {
      auto& b = g.blocks[i];
      o += std::string(i ? "," : "") + "{\"address\":" + std::to_string(at) + num("size", b.size) + num("requested_size", b.requested_size) + ",\"state\":\"" +
          (b.allocated ? "active_allocated" : b.active ? "active_pending_free" : "inactive") + "\"}";
      at += b.size;
    }
    o += "]}";
  }
  o += "]";
  if (get()->isHistoryEnabled()) {
    o += ",\"device_traces\":[[";
    for (size_t i = 0; i < s.device_traces.at(0).size(); i++) {
      auto& t = s.device_traces[0][i];
      bool oom = t.action_ == TraceEntry::OOM, snap = t.action_ == TraceEntry::SNAPSHOT;
      o += std::string(i ? "," : "") + "{\"action\":\"" + name(t.action_) + "\"" + (oom ? num("device_free", t.addr_) : num("addr", snap ? 0 : relative((void*)t.addr_))) + num("size", t.size_) +
          num("stream", stream_numbers.at(t.stream_)) + num("device", t.device_) + ",\"pool_id\":" + json(t.mempool_);
      if (!t.compile_context_.empty() && t.compile_context_ != "N/A") o += ",\"compile_context\":" + quoted(t.compile_context_);
      if (!t.user_metadata_.empty()) o += ",\"user_metadata\":" + quoted(t.user_metadata_);
      o += "}";
    }
    o += "]]";
    if (!s.external_annotations.empty()) {
      o += ",\"external_annotations\":[";
      for (size_t i = 0; i < s.external_annotations.size(); i++) {
        o += i ? ",{" : "{";
        bool one = true;
        for (auto& [k, v] : s.external_annotations[i].metadata_) { o += std::string(one ? "" : ",") + quoted(k) + ":" + quoted(v); one = false; }
        o += "}";
      }
      o += "]";
    }
  }
  put(o + (full ? settings(s.config_metadata) : ""));
}

struct Words {
  std::string text;
  std::vector<std::string> words;
  explicit Words(const std::string& t) : text(t) { std::istringstream in(t); std::string w; while (in >> w) words.push_back(w); }
  bool has(size_t i) const { return i < words.size(); }
  uint64_t number(size_t i) const { return std::stoull(words.at(i)); }
  c10::MempoolId_t pool(size_t i) const { return has(i) ? c10::MempoolId_t{number(i), number(i + 1)} : c10::MempoolId_t{0, 0}; }
  /// The text from a word on, with its inner blanks.
  std::string rest(size_t from) const {
    size_t at = 0;
    for (size_t i = 0; i < from; i++) { at = text.find_first_not_of(" \t", at); if (at == std::string::npos) return ""; at = text.find_first_of(" \t", at); if (at == std::string::npos) return ""; }
    at = text.find_first_not_of(" \t", at);
    return at == std::string::npos ? "" : text.substr(at);
  }
};

static std::map<uint64_t, void*> live;
static std::string observed;

static void run(const Words& w) {
  auto* allocator = get();
  const std::string& op = operation;
  if (op == "malloc" || op == "allocate" || op == "malloc_at") {
    observed.clear();
    try {
      void* p = nullptr;
      if (op == "malloc") {
        p = allocator->raw_alloc_with_stream(w.number(2), handles[w.number(3)]);
      } else if (op == "allocate") {
        p = allocator->allocate(w.number(2)).release_context();
      } else {
        auto before = c10::cuda::getCurrentCUDAStream(0);
        c10::cuda::setCurrentCUDAStream(stream(w.number(3)));
        try { p = allocator->allocateWithAddress(w.number(2), (void*)(fake_base() + w.number(4))).release_context(); }
        catch (...) { c10::cuda::setCurrentCUDAStream(before); throw; }
        c10::cuda::setCurrentCUDAStream(before);
      }
      live[w.number(1)] = p;
      put(num("id", w.number(1)) + num("addr", relative(p)));
    } catch (const c10::OutOfMemoryError& e) {
      std::cout << observed;
      put(num("id", w.number(1)) + ",\"error\":\"OutOfMemoryError\",\"message\":" + quoted(e.what_without_backtrace()));
    } catch (const c10::Error& e) {
      std::cout << observed;
      put(num("id", w.number(1)) + ",\"error\":\"Error\",\"message\":" + quoted(e.what_without_backtrace()));
    }
  } else if (op == "free") {
    auto it = live.find(w.number(1));
    if (it != live.end()) { void* p = it->second; live.erase(it); if (p) allocator->raw_delete(p); }
  } else if (op == "record_stream") {
    auto it = live.find(w.number(1));
    if (it != live.end() && it->second) {
      c10::DataPtr data(it->second, it->second, allocator->raw_deleter(), c10::Device(c10::DeviceType::CUDA, 0));
      allocator->recordStream(data, stream(w.number(2)));
      data.release_context();
    }
  } else if (op == "sync") fake_sync_stream(handles[w.number(1)]);
  else if (op == "sync_all") fake_sync_all();
  else if (op == "advance") fake_advance(handles[w.number(1)], w.number(2));
  else if (op == "empty_cache") allocator->emptyCache(w.pool(1));
  else if (op == "get_fraction") { std::ostringstream v; v.precision(17); v << allocator->getMemoryFraction(0); put(",\"value\":" + v.str()); }
  else if (op == "mem_info") { auto m = allocator->getMemoryInfo(0); put(num("free", m.first) + num("total", m.second)); }
  else if (op == "cache_info") { size_t n = w.has(1) ? w.number(1) : 0; allocator->cacheInfo(0, &n); put(num("largest", n)); }
  else if (op == "base_alloc") { size_t n = 0; void* p = allocator->getBaseAllocation(live.at(w.number(1)), &n); put(num("id", w.number(1)) + num("addr", relative(p)) + num("size", n)); }
  else if (op == "set_fraction") allocator->setMemoryFraction(std::stod(w.words.at(1)), 0);
  else if (op == "external") fake_set_external(w.number(1));
  else if (op == "stats") stats();
  else if (op == "snapshot") write_snapshot(w.pool(1), false);
  else if (op == "snapshot_full") { operation = "snapshot"; write_snapshot(w.pool(1), true); }
  else if (op == "reset_peak") allocator->resetPeakStats(0);
  else if (op == "reset_accumulated") allocator->resetAccumulatedStats(0);
  else if (op == "set_config") c10::CachingAllocator::setAllocatorSettings(w.rest(1));
  else if (op == "set_stream") c10::cuda::setCurrentCUDAStream(stream(w.number(1)));
  else if (op == "expandable_sizes") {
    std::string o = ",\"segments\":[";
    bool first = true;
    for (auto& s : allocator->getExpandableSegmentSizes(0)) {
      o += std::string(first ? "" : ",") + "{\"stream\":" + std::to_string(stream_numbers.at(s.stream)) + ",\"small\":" + (s.is_small_pool ? "true" : "false") + num("mapped", s.total_size) + "}";
      first = false;
    }
    put(o + "]");
  } else if (op == "device_calls") {
    static const char* names[] = {"cudaMalloc", "cudaFree", "cuMemCreate", "cuMemRelease", "cuMemMap", "cuMemUnmap", "cuMemAddressReserve", "cuMemAddressFree", "cudaEventRecord", "cudaEventQuery", "cudaEventSynchronize"};
    uint64_t c[12];
    fake_counters(c);
    std::string o;
    for (int i = 0; i < 11; i++) o += num(names[i], c[i]);
    put(o);
  } else if (op == "pool_create") allocator->createOrIncrefPool(0, w.pool(1));
  else if (op == "pool_begin") {
    cudaStream_t only = w.has(3) && w.words[3] != "*" ? handles[w.number(3)] : nullptr;
    bool any = !(w.has(3) && w.words[3] != "*");
    allocator->beginAllocateToPool(0, w.pool(1), [only, any](cudaStream_t s) { return any || s == only; });
  } else if (op == "pool_end") allocator->endAllocateToPool(0, w.pool(1));
  else if (op == "pool_release") allocator->releasePool(0, w.pool(1));
  else if (op == "pool_use_on_oom") allocator->setUseOnOOM(0, w.pool(1), w.number(3));
  else if (op == "pool_no_split") allocator->setNoSplit(0, w.pool(1));
  else if (op == "pool_use_count") put(num("value", allocator->getPoolUseCount(0, w.pool(1))));
  else if (op == "capture_begin") {
    cudaStream_t s = handles[w.number(1)];
    c10::cuda::setCurrentCUDAStream(stream(w.number(1)));
    uint64_t id = fake_capture(s, 0);
    captures[w.pool(2)] = id;
    allocator->beginAllocateToPool(0, w.pool(2), [id](cudaStream_t s) { return fake_capture_id(s) == id; });
    allocator->markCaptureBegin(0);
  } else if (op == "capture_join") fake_capture(handles[w.number(1)], captures.at(w.pool(2)));
  else if (op == "capture_end") {
    fake_capture_end(captures[w.pool(1)]);
    captures.erase(w.pool(1));
    c10::cuda::setCurrentCUDAStream(stream(0));
    allocator->endAllocateToPool(0, w.pool(1));
    allocator->markCaptureEnd(0);
  } else if (op == "record_history") {
    bool on = w.words.at(1) == "on";
    std::vector<std::string> skipped(w.words.begin() + std::min<size_t>(4, w.words.size()), w.words.end());
    allocator->recordHistory(on, nullptr, w.has(2) ? w.number(2) : UINT64_MAX, RecordContext::NEVER, w.has(3) && w.number(3), skipped);
  } else if (op == "metadata") allocator->setUserMetadata(w.rest(1));
  else if (op == "annotate") {
    auto it = live.find(w.number(1));
    if (it != live.end() && it->second) allocator->annotateMemory(it->second, w.rest(2));
  } else if (op == "external_annotation") allocator->recordAnnotation({{w.words.at(1), w.rest(2)}});
  else if (op == "compile_push") { std::string text = w.rest(1); allocator->pushCompileContext(text); }
  else if (op == "compile_pop") allocator->popCompileContext();
  else { std::cerr << "no operation " << op << "\n"; exit(2); }
}

int main(int, char** argv) {
  try {
    c10::cuda::device_count();
    c10::cuda::_internal::setHasPrimaryContext([](c10::DeviceIndex) { return true; });
    get()->init(1);
    c10::cuda::detail::init_p2p_access_cache(1);
    choose_handles();
  } catch (const c10::Error& e) {
    operation = "init";
    put(std::string(",\"error\":\"") + (dynamic_cast<const c10::ValueError*>(&e) ? "ValueError" : "Error") + "\",\"message\":" + quoted(e.what_without_backtrace()));
    return 0;
  }
  get()->attachOutOfMemoryObserver([](int64_t device, size_t bytes, size_t total, size_t free) {
    std::string failing = operation;
    operation = "oom_observer";
    observed += begin() + num("device", device) + num("alloc_size", bytes) + num("device_total", total) + num("device_free", free) + "}\n";
    operation = failing;
  });
  std::ifstream in(argv[1]);
  std::string text;
  while (std::getline(in, text)) {
    line_number++;
    Words w(text);
    if (text.rfind("#", 0) == 0 || w.words.empty()) continue;
    operation = w.words[0];
    try {
      run(w);
    } catch (const c10::ValueError& e) {
      put(",\"error\":\"ValueError\",\"message\":" + quoted(e.what_without_backtrace()));
    } catch (const c10::Error& e) {
      put(",\"error\":\"Error\",\"message\":" + quoted(e.what_without_backtrace()));
    } catch (const std::exception& e) {
      put(",\"error\":\"std\",\"message\":" + quoted(e.what()));
    }
  }
  std::cout.flush();
  _exit(0);
}
