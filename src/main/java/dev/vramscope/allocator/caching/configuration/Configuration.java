package dev.vramscope.allocator.caching.configuration;

import dev.vramscope.model.SizeRules;
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
  public static final long UNLIMITED = SizeRules.UNLIMITED;

  static final long MIB = 1L << 20;

  String lastSettings = "";

  // Read by every accelerator.
  long largeSegmentBytes = SizeRules.DEFAULT_LARGE_SEGMENT_BYTES;
  long maxSplitBytes = UNLIMITED;
  long maxNonSplitRoundingBytes = SizeRules.DEFAULT_LARGE_SEGMENT_BYTES;
  double garbageCollectionThreshold;
  final long[] roundupPower2Divisions = new long[SizeRules.ROUNDING_INTERVALS];
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

  /** The size arithmetic under the settings above; replaced whenever they are read. */
  private SizeRules sizes = SizeRules.DEFAULT;

  /** Reads the settings that an allocator is created with. The keys of CUDA are read first. */
  public void readInitial(String settings, String deviceSettings) {
    try {
      if (!deviceSettings.isEmpty()) {
        DeviceSettingsReader.read(deviceSettings, this);
      }
      if (!settings.isEmpty()) {
        SharedSettingsReader.read(settings, this);
      }
    } finally {
      updateSizes();
    }
  }

  /**
   * Reads settings into the running allocator.
   *
   * @throws ConfigurationException if the string is not accepted; settings before the mistake are
   *     kept
   */
  public void read(String settings) {
    try {
      SharedSettingsReader.read(settings, this);
      DeviceSettingsReader.read(settings, this);
    } finally {
      updateSizes();
    }
  }

  private void updateSizes() {
    sizes =
        new SizeRules(roundupPower2Divisions, largeSegmentBytes, maxSplitBytes, expandableSegments);
  }

  /** Resets the settings that every settings string resets, whether it names them or not. */
  void resetTransient() {
    maxSplitBytes = UNLIMITED;
    Arrays.fill(roundupPower2Divisions, 0);
    garbageCollectionThreshold = 0;
  }

  /** The size arithmetic under the current settings. */
  public SizeRules sizes() {
    return sizes;
  }

  /** The same as {@link SizeRules#isOversize}, with one load less: it is on the hot path. */
  public boolean isOversize(long blockBytes) {
    return Long.compareUnsigned(blockBytes, maxSplitBytes) >= 0;
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
