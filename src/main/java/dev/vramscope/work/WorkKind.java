package dev.vramscope.work;

/** The kinds of heavy work. Each has a queue of its own. */
public enum WorkKind {
  /** Reading an upload that was received. */
  INGEST("reading uploads", 4),
  /** The first answer to a question about a snapshot. */
  ANALYSIS("analyses of snapshots", WorkKind.AS_TURNS),
  COMPARISON("comparisons of snapshots", 2),
  REPORT("reports", 2),
  EXPLANATION("explanations of logs", 2),
  LAB("experiments", 4),
  PLAN("plans", 1),
  /** A replay under other settings. */
  REPLAY("replays", WorkKind.AS_TURNS),
  /** Its tasks wait for their clients most of the time. */
  EXPORT("exports", 32),
  /** What nobody waits for yet: only when no other kind has a task, and now and then. */
  BACKGROUND("prepared answers", 1);

  private static final int AS_TURNS = 0;

  private final String label;
  private final int maxStarted;

  WorkKind(String label, int maxStarted) {
    this.label = label;
    this.maxStarted = maxStarted;
  }

  /**
   * Whether a task that waits too long is rejected. An upload that was received is not, and neither
   * is a replay: its job shows its progress, and can be cancelled. Nobody waits for work in the
   * background.
   */
  boolean isRejectable() {
    return this != INGEST && this != REPLAY && this != BACKGROUND;
  }

  /** Whether its tasks spend most of their time without a turn. */
  boolean waitsForClients() {
    return this == EXPORT;
  }

  /** In the plural, for a sentence. */
  public String label() {
    return label;
  }

  /** The most tasks that have begun and not ended; each may hold memory of its own. */
  int maxStarted(int turns) {
    return maxStarted == AS_TURNS ? turns : maxStarted;
  }
}
