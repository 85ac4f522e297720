package dev.vramscope.allocator.caching;

import java.util.List;

/**
 * The settings of an allocator at one moment. Sizes are unsigned: -1 is unlimited.
 *
 * @param lastSettings the string that was read last, accepted or not
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
    boolean throwOnDeviceMallocOom) {}
