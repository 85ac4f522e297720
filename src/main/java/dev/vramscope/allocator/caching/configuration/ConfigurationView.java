package dev.vramscope.allocator.caching.configuration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of an allocator at one moment. Sizes are unsigned: -1 is unlimited.
 *
 * @param lastSettings the last string that was read, accepted or not
 * @param roundupPower2Divisions for requests of 1 MiB, 2 MiB, ... 32 GiB and more; 0 is off
 */
public record ConfigurationView(
    String lastSettings,
    long largeSegmentBytes,
    long maxSplitBytes,
    long maxNonSplitRoundingBytes,
    double garbageCollectionThreshold,
    List<Long> roundupPower2Divisions,
    boolean expandableSegments,
    boolean pinnedUseBackgroundThreads,
    long pinnedMaxRoundThresholdBytes,
    long pinnedMaxCachedBytes,
    boolean releaseLockOnDeviceMalloc,
    boolean pinnedUseHostRegister,
    long pinnedRegisterThreads,
    long pinnedReserveSegmentMib,
    boolean pinnedFreeCatchAll,
    boolean graphCaptureRecordStreamReuse,
    double perProcessMemoryFraction,
    boolean throwOnDeviceMallocOom) {
  /** The settings that PyTorch writes into a snapshot, by their names there. */
  public Map<String, String> asRecorded() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("PYTORCH_CUDA_ALLOC_CONF", lastSettings);
    settings.put("max_split_size", Long.toString(maxSplitBytes));
    settings.put("garbage_collection_threshold", Double.toString(garbageCollectionThreshold));
    settings.put("expandable_segments", Boolean.toString(expandableSegments));
    settings.put("pinned_num_register_threads", Long.toString(pinnedRegisterThreads));
    settings.put("release_lock_on_cudamalloc", Boolean.toString(releaseLockOnDeviceMalloc));
    settings.put("pinned_use_cuda_host_register", Boolean.toString(pinnedUseHostRegister));
    settings.put(
        "graph_capture_record_stream_reuse", Boolean.toString(graphCaptureRecordStreamReuse));
    settings.put("max_round_threshold", Long.toString(pinnedMaxRoundThresholdBytes));
    settings.put("max_cached_size", Long.toString(pinnedMaxCachedBytes));
    for (int i = 0; i < roundupPower2Divisions.size(); i++) {
      settings.put(
          "roundup_power2_divisions." + (1L << i), Long.toString(roundupPower2Divisions.get(i)));
    }
    return settings;
  }
}
