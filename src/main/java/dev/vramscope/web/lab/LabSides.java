package dev.vramscope.web.lab;

import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.live.lab.Setup;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteSize;
import dev.vramscope.web.whatif.ReplayDevice;
import java.util.OptionalLong;

/** The allocator and the device of a recording, as a side of an experiment. */
final class LabSides {
  private static final long GIB = 1L << 30;

  private LabSides() {}

  static LabRequest.LabAllocator of(SnapshotInspection snapshot, DeviceInspection device) {
    OptionalLong limit = device.device().facts().limitBytes();
    OptionalLong total =
        ReplayDevice.of(device, OptionalLong.empty(), OptionalLong.empty()).size().totalBytes();
    // A quarter more than the recording needed, in whole GiB, if nothing shows how much there was.
    long leastBytes = Math.max(device.leastTotal().bytes(), device.highWaterMark().bytes());
    long bytes =
        Math.clamp(
            total.orElse(Math.ceilDiv(leastBytes + leastBytes / 4, GIB) * GIB),
            1L << 20,
            Setup.MAX_DEVICE_BYTES);
    if (device.family() == AllocatorFamily.BFC) {
      long pool = Math.min(limit.orElse(bytes), Setup.MAX_DEVICE_BYTES);
      return side(
          AllocatorKind.BFC,
          "memory_limit=" + pool + ",enable_spatial_partitioning=false",
          Math.max(bytes, pool));
    }
    return side(AllocatorKind.CACHING, accepted(snapshot.snapshot().configuration()), bytes);
  }

  private static LabRequest.LabAllocator side(AllocatorKind kind, String settings, long bytes) {
    return new LabRequest.LabAllocator(kind.id(), settings, ByteSize.format(bytes));
  }

  /** The recorded settings, unless they are those of another allocator. */
  private static String accepted(String settings) {
    try {
      CachingAllocator allocator =
          new CachingAllocator(SimDevice.ofBytes(GIB), CachingOptions.of(settings));
      allocator.emptyCache();
      return settings;
    } catch (ConfigurationException other) {
      return "";
    }
  }
}
