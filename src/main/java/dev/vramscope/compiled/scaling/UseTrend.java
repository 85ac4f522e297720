package dev.vramscope.compiled.scaling;

/** How the bytes of one use depend on the parameter. */
public sealed interface UseTrend permits ScaledTrend, SumTrend {
  /** What the bytes are at a value; the stated bytes at that of a program. */
  ByteEstimate at(long value);

  Basis basis();

  /** The most by which the law differs from stated bytes. */
  long residualBytes();

  /**
   * The most by which bytes of a program differ from what the other programs predict for it; -1 if
   * they are too few to tell.
   */
  long heldOutBytes();

  /**
   * What an estimate may be off for each doubling of the value, as a part of it; 0 if not known.
   */
  double partByDoubling();

  /** How a trend was found. */
  enum Basis {
    /** The bytes are the same in all programs. */
    SAME("the same in all programs"),
    /** Each buffer grows as its shape does; each program predicts its neighbours. */
    BUFFERS("each buffer grows as its shape does"),
    /** A line through three programs or more. */
    LINE("a line that all programs are on"),
    /** A polynomial of degree two through four programs or more. */
    SQUARE("a square that all programs are on"),
    /** A line that programs are near. */
    NEAR_LINE("a line that the programs are near"),
    /** A line through two programs, which nothing checks. */
    ASSUMED_LINE("a line through two programs, which is an assumption"),
    /** The programs are on no line and no square. */
    NONE("no law fits");

    private final String label;

    Basis(String label) {
      this.label = label;
    }

    /** For pages. */
    public String label() {
      return label;
    }
  }
}
