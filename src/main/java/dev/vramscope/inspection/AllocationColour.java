package dev.vramscope.inspection;

import dev.vramscope.analysis.timeline.AllocationGroups;

/** The property by which allocations are grouped, a colour for each group. */
public enum AllocationColour {
  CATEGORY,
  STREAM,
  POOL,
  AGE,
  SIZE;

  /** The groups of a device. */
  AllocationGroups groups(DeviceInspection device) {
    return switch (this) {
      case CATEGORY -> AllocationGroups.byUse(device.uses());
      case STREAM -> AllocationGroups.byStream(device.lifetimes());
      case POOL -> AllocationGroups.byPool(device.lifetimes());
      case AGE -> AllocationGroups.byAge(device.lifetimes(), device.device().trace().size());
      case SIZE -> AllocationGroups.bySize(device.lifetimes());
    };
  }
}
