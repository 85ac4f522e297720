package dev.vramscope.evidence;

/**
 * The phrases in which PyTorch's messages of a failed request say each number, of every release
 * since 1.0, as regular expressions with a group for a number and one for its unit.
 */
public final class TorchPhrases {
  private static final String SIZE = Quantity.PATTERN;

  /** The segment that the allocator asked the driver for. */
  public static final String REQUESTED = "[Tt]ried to allocate " + SIZE;

  /** The size of the device; "capacty" is how PyTorch 2.1 spells it. */
  public static final String TOTAL =
      "total capaci?ty of " + SIZE + "|" + SIZE + " total(?: capacity|[;,)])";

  /** Free on the device. */
  public static final String FREE = "of which " + SIZE + " is free|" + SIZE + " free[;,)]";

  /** The most that the allocator may reserve, if the program has set a fraction. */
  public static final String ALLOWED = SIZE + " allowed;";

  /** Used by this process, inside and outside the allocator; since 2.1. */
  public static final String THIS_PROCESS = "this process has " + SIZE + " memory in use";

  /** Used by another process; its number is the first group. */
  public static final String OTHER_PROCESS = "Process ([0-9]{1,10}) has " + SIZE + " memory in use";

  /** Allocated by PyTorch. */
  public static final String ALLOCATED =
      SIZE + " is allocated by PyTorch|" + SIZE + " already allocated";

  /** Reserved by PyTorch in all; until 2.1. */
  public static final String RESERVED = SIZE + " reserved in total by PyTorch";

  /** The same until 1.4. */
  public static final String CACHED = SIZE + " cached\\)";

  /** Reserved by PyTorch but not allocated; since 2.1. */
  public static final String UNALLOCATED = SIZE + " is reserved by PyTorch but unallocated";

  private TorchPhrases() {}

  /**
   * The number of the device.
   *
   * @param backends the letters before "PU", as a character class
   */
  public static String device(String backends) {
    return "\\b" + backends + "PU ([0-9]{1,3})(?:;| has a total)";
  }
}
