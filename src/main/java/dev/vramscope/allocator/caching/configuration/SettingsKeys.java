package dev.vramscope.allocator.caching.configuration;

import java.util.Set;

/** The keys that a settings string may contain. */
final class SettingsKeys {
  /** Read by {@link SharedSettingsReader}. */
  private static final Set<String> SHARED =
      Set.of(
          "large_segment_size_mb",
          "max_split_size_mb",
          "max_non_split_rounding_mb",
          "garbage_collection_threshold",
          "roundup_power2_divisions",
          "expandable_segments",
          "pinned_use_background_threads",
          "pinned_max_round_threshold_mb",
          "pinned_max_cached_size_mb");

  /** Read by {@link DeviceSettingsReader}. */
  private static final Set<String> DEVICE =
      Set.of(
          "backend",
          "release_lock_on_cudamalloc",
          "release_lock_on_hipmalloc",
          "pinned_use_cuda_host_register",
          "pinned_use_hip_host_register",
          "pinned_num_register_threads",
          "pinned_reserve_segment_size_mb",
          "pinned_free_catch_all",
          "graph_capture_record_stream_reuse",
          "per_process_memory_fraction",
          "throw_on_cudamalloc_oom");

  private SettingsKeys() {}

  /**
   * Rejects an unknown key.
   *
   * @param reader the name of the reader in PyTorch's message
   */
  static void require(String key, String reader) {
    if (!SHARED.contains(key) && !DEVICE.contains(key)) {
      throw ConfigurationException.value(
          "Unrecognized key '" + key + "' in " + reader + " allocator config.");
    }
  }
}
