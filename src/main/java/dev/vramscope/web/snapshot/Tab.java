package dev.vramscope.web.snapshot;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import java.util.EnumSet;
import java.util.Set;

/** A page of a snapshot. */
public enum Tab {
  OVERVIEW("Overview", ""),
  TIMELINE("Timeline", "/timeline"),
  EVENTS("Events", "/events"),
  SEGMENTS("Segments", "/segments"),
  SEGMENT_TIMELINE("Segments over time", "/segment-timeline"),
  STEPS("Steps", "/steps"),
  SITES("Sites", "/sites"),
  FLAME("Flame graph", "/flame"),
  BUDGET("Budget", "/budget"),
  SUMMARY("Summary", "/summary"),
  OOM("Out of memory", "/oom"),
  WHATIF("What if", "/whatif");

  private final String title;
  private final String path;

  /** Pages that are about the GPU's size, or about PyTorch's allocator of GPU memory. */
  private static final Set<Tab> OF_GPU = EnumSet.of(OVERVIEW, STEPS, BUDGET, SUMMARY, OOM, WHATIF);

  /** Pages that need neither addresses nor events. */
  private static final Set<Tab> OF_PROFILE = EnumSet.of(OVERVIEW, SITES, FLAME);

  /** Pages about segments, and about numbers that need them. */
  private static final Set<Tab> OF_SEGMENTS =
      EnumSet.of(SEGMENTS, SEGMENT_TIMELINE, BUDGET, SUMMARY);

  /** Pages about how memory changed. */
  private static final Set<Tab> OF_RUN = EnumSet.of(TIMELINE, SEGMENT_TIMELINE, STEPS, WHATIF);

  Tab(String title, String path) {
    this.title = title;
    this.path = path;
  }

  /** Whether the page exists for pinned host memory, too. */
  public boolean isOfHost() {
    return !OF_GPU.contains(this);
  }

  /** Whether the page exists for a profile. */
  boolean isOfProfile() {
    return OF_PROFILE.contains(this);
  }

  /** Whether the page exists for a device. */
  boolean isOf(DeviceSnapshot device) {
    RecordingKind kind = device.kind();
    return (kind.isOfGpu() || isOfHost() || this == OVERVIEW)
        && (kind.hasAddresses() || isOfProfile())
        && (kind.hasSegments() || !OF_SEGMENTS.contains(this))
        && (kind != RecordingKind.DUMP || !OF_RUN.contains(this))
        && (this != SUMMARY || !device.facts().isOfXla());
  }

  /** Whether the number of failed requests follows the title. */
  public boolean countsFailures() {
    return this == OOM;
  }

  public String title() {
    return title;
  }

  /** Path relative to the URL of the snapshot. */
  public String path() {
    return path;
  }
}
