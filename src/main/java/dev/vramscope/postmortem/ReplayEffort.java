package dev.vramscope.postmortem;

/** Which replays are run for an answer. */
public enum ReplayEffort {
  /** Only replays that take next to no time. */
  QUICK,
  /** All, even if that takes seconds. */
  FULL;

  /** All if a reader has asked for replays. */
  public static ReplayEffort of(boolean isRequested) {
    return isRequested ? FULL : QUICK;
  }
}
