package dev.vramscope.allocator.caching.configuration;

import dev.vramscope.allocator.caching.configuration.ConfigurationException.Kind;

/** Reads the keys of CUDA. Settings before a mistake in the string are kept. */
final class DeviceSettingsReader {
  private static final long MAX_REGISTER_THREADS = 128;
  private static final String NATIVE_BACKEND = "native";
  private static final String ASYNC_BACKEND = "cudaMallocAsync";

  private final ConfigurationTokens tokens;
  private final Configuration configuration;

  private DeviceSettingsReader(ConfigurationTokens tokens, Configuration configuration) {
    this.tokens = tokens;
    this.configuration = configuration;
  }

  static void read(String settings, Configuration configuration) {
    new DeviceSettingsReader(new ConfigurationTokens(settings), configuration).read();
  }

  private void read() {
    for (int i = 0; i < tokens.size(); i++) {
      i = readKey(i);
      if (i + 1 < tokens.size()) {
        tokens.skipSeparator(++i);
      }
    }
  }

  private int readKey(int i) {
    String key = tokens.get(i);
    switch (key) {
      case "backend" -> requireNativeBackend(i);
      case "release_lock_on_cudamalloc", "release_lock_on_hipmalloc" ->
          configuration.releaseLockOnDeviceMalloc = isTrue(i);
      case "pinned_use_cuda_host_register", "pinned_use_hip_host_register" ->
          configuration.pinnedUseHostRegister = isTrue(i);
      case "pinned_num_register_threads" -> configuration.pinnedRegisterThreads = threads(i);
      case "pinned_reserve_segment_size_mb" -> configuration.pinnedReserveSegmentMib = positive(i);
      case "pinned_free_catch_all" -> configuration.pinnedFreeCatchAll = isTrue(i);
      case "graph_capture_record_stream_reuse" ->
          configuration.graphCaptureRecordStreamReuse = isTrue(i);
      case "per_process_memory_fraction" -> configuration.perProcessMemoryFraction = fraction(i);
      case "throw_on_cudamalloc_oom" -> configuration.throwOnDeviceMallocOom = isTrue(i);
      default -> {
        SettingsKeys.require(key, "CUDA");
        return tokens.skipKey(i);
      }
    }
    return i + 2;
  }

  private boolean isTrue(int key) {
    tokens.skipSeparator(key + 1);
    return tokens.isTrue(key + 2);
  }

  private void requireNativeBackend(int key) {
    tokens.skipSeparator(key + 1);
    String backend = tokens.get(key + 2);
    if (!backend.equals(NATIVE_BACKEND) && !backend.equals(ASYNC_BACKEND)) {
      throw ConfigurationException.value(
          "Unknown allocator backend, options are " + NATIVE_BACKEND + " and " + ASYNC_BACKEND);
    }
    if (!backend.equals(NATIVE_BACKEND)) {
      throw new ConfigurationException(
          Kind.STRUCTURE,
          "tokenizer[i] == get()->name() INTERNAL ASSERT FAILED at"
              + " \"/__w/pytorch/pytorch/c10/cuda/CUDAAllocatorConfig.cpp\":44, please report a bug"
              + " to PyTorch. Allocator backend parsed at runtime != allocator backend parsed at"
              + " load time, "
              + backend
              + " != "
              + NATIVE_BACKEND);
    }
  }

  private long threads(int key) {
    tokens.skipSeparator(key + 1);
    long threads = tokens.unsigned(key + 2);
    if (Long.bitCount(threads) != 1) {
      throw ConfigurationException.value(
          "Number of register threads has to be power of 2, got " + Long.toUnsignedString(threads));
    }
    if (Long.compareUnsigned(threads, MAX_REGISTER_THREADS) > 0) {
      throw ConfigurationException.value(
          "Number of register threads should be less than or equal to "
              + MAX_REGISTER_THREADS
              + ", got "
              + Long.toUnsignedString(threads));
    }
    return threads;
  }

  private long positive(int key) {
    tokens.skipSeparator(key + 1);
    long mib = tokens.unsigned(key + 2);
    if (mib == 0) {
      throw ConfigurationException.value("Pinned reserve segment size has to be greater than 0");
    }
    return mib;
  }

  private double fraction(int key) {
    tokens.skipSeparator(key + 1);
    double fraction = tokens.real(key + 2);
    if (!(fraction >= 0.0 && fraction <= 1.0)) {
      throw ConfigurationException.value(
          "per_process_memory_fraction is invalid, set it in [0.0, 1.0]");
    }
    return fraction;
  }
}
