package dev.vramscope.compiled;

/** What an allocation is for; each allocation has one use. */
public enum AllocationUse {
  /** Memory of the caller that the program reads. */
  ARGUMENT("arguments"),
  /** Memory of the caller that an output is written to: a donated argument. */
  ALIASED("arguments that outputs are written to"),
  /** Memory that the caller receives. */
  OUTPUT("outputs"),
  /** Memory of the program while it runs. */
  TEMPORARY("temporary"),
  /** Values that are part of the program. */
  CONSTANT("constants"),
  /** Memory of each thread that runs a part of the program. */
  THREAD_LOCAL("thread-local");

  private final String label;

  AllocationUse(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** Whether the caller holds it before the program runs. */
  public boolean isOfCaller() {
    return this == ARGUMENT || this == ALIASED;
  }
}
