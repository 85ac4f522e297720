package dev.vramscope.web;

/** A page of a snapshot. */
enum Tab {
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

  Tab(String title, String path) {
    this.title = title;
    this.path = path;
  }

  public String title() {
    return title;
  }

  /** Path relative to the URL of the snapshot. */
  public String path() {
    return path;
  }
}
