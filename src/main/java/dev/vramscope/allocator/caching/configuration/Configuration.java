package dev.vramscope.allocator.caching.configuration;

import java.util.Arrays;

/**
 * The settings of one allocator, as {@code PYTORCH_CUDA_ALLOC_CONF} names them. Sizes are unsigned
 * 64-bit numbers; {@link #UNLIMITED} is the largest of them.
 *
 * <p>Mutable, because settings can change at run time; guarded by the allocator's lock. {@link
 * SharedSettingsReader} and {@link DeviceSettingsReader} write it.
 */
public final class Configuration {
  /** 2^64 - 1. */
  public static final long UNLIMITED = -1;

  public static final long MIB = 1L << 20;

  /** Requests of 1 MiB, 2 MiB, ... 32 GiB and more each have their own rounding. */
  public static final int ROUNDING_INTERVALS = 16;

  private static final long DEFAULT_LARGE_SEGMENT_BYTES = 20 * MIB;

  String lastSettings = "";

  // Read by every accelerator.
  long largeSegmentBytes = DEFAULT_LARGE_SEGMENT_BYTES;
  long maxSplitBytes = UNLIMITED;
  long maxNonSplitRoundingBytes = DEFAULT_LARGE_SEGMENT_BYTES;
  double garbageCollectionThreshold;
  final long[] roundupPower2Divisions = new long[ROUNDING_INTERVALS];
  boolean expandableSegments;
  boolean pinnedUseBackgroundThreads;
  long pinnedMaxRoundThresholdBytes = UNLIMITED;
  long pinnedMaxCachedBytes = UNLIMITED;

  // Read by CUDA only.
  boolean releaseLockOnDeviceMalloc;
  boolean pinnedUseHostRegister;
  long pinnedRegisterThreads = 1;
  long pinnedReserveSegmentMib;
  boolean pinnedFreeCatchAll;
  boolean graphCaptureRecordStreamReuse;
  double perProcessMemoryFraction = 1.0;
  boolean throwOnDeviceMallocOom;

  public long largeSegmentBytes() {
    return largeSegmentBytes;
  }

  public long maxSplitBytes() {
    return maxSplitBytes;
  }

  public long maxNonSplitRoundingBytes() {
    return maxNonSplitRoundingBytes;
  }

  public double garbageCollectionThreshold() {
    return garbageCollectionThreshold;
  }

  public long[] roundupPower2Divisions() {
    return roundupPower2Divisions;
  }

  public boolean expandableSegments() {
    return expandableSegments;
  }

  public boolean releaseLockOnDeviceMalloc() {
    return releaseLockOnDeviceMalloc;
  }

  public boolean graphCaptureRecordStreamReuse() {
    return graphCaptureRecordStreamReuse;
  }

  public double perProcessMemoryFraction() {
    return perProcessMemoryFraction;
  }

  public boolean throwOnDeviceMallocOom() {
    return throwOnDeviceMallocOom;
  }

  /** The settings that an allocator is made with; here the keys of CUDA are read first. */
  public void readInitial(String settings, String deviceSettings) {
    if (!deviceSettings.isEmpty()) {
      DeviceSettingsReader.read(deviceSettings, this);
    }
    if (!settings.isEmpty()) {
      SharedSettingsReader.read(settings, this);
    }
  }

  /** Settings for the running allocator. A failing string keeps what it set before the mistake. */
  public void read(String settings) {
    SharedSettingsReader.read(settings, this);
    DeviceSettingsReader.read(settings, this);
  }

  /** What every settings string sets back, named in it or not. */
  void resetTransient() {
    maxSplitBytes = UNLIMITED;
    Arrays.fill(roundupPower2Divisions, 0);
    garbageCollectionThreshold = 0;
  }

  /** Whether blocks of this size are oversize: never split, and kept for requests of that kind. */
  public boolean isOversize(long bytes) {
    return Long.compareUnsigned(bytes, maxSplitBytes) >= 0;
  }

  public ConfigurationView view() {
    return new ConfigurationView(
        lastSettings,
        largeSegmentBytes,
        maxSplitBytes,
        maxNonSplitRoundingBytes,
        garbageCollectionThreshold,
        Arrays.stream(roundupPower2Divisions).boxed().toList(),
        expandableSegments,
        pinnedUseBackgroundThreads,
        pinnedMaxRoundThresholdBytes,
        pinnedMaxCachedBytes,
        releaseLockOnDeviceMalloc,
        pinnedUseHostRegister,
        pinnedRegisterThreads,
        pinnedReserveSegmentMib,
        pinnedFreeCatchAll,
        graphCaptureRecordStreamReuse,
        perProcessMemoryFraction,
        throwOnDeviceMallocOom);
  }
}
