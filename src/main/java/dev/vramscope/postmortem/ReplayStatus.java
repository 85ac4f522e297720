package dev.vramscope.postmortem;

/** What replays of a failed run under other settings have shown, or why they have shown nothing. */
public sealed interface ReplayStatus {
  /** They are finished. */
  record Done(ChangedReplays replays) implements ReplayStatus {}

  /** They take long and have not been asked for. */
  record Pending() implements ReplayStatus {}

  /**
   * The run cannot be replayed.
   *
   * @param reason a sentence
   */
  record Impossible(String reason) implements ReplayStatus {}
}
