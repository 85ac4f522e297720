package dev.vramscope.intake;

/** What an upload does with the tags of a file that is stored already. */
public enum DuplicateTags {
  /** Leaves name and tags unchanged. */
  KEEP,

  /** Sets tags that are not set, and adds labels; the name is unchanged. */
  ADD
}
