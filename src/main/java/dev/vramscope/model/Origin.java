package dev.vramscope.model;

/**
 * The origin of a snapshot.
 *
 * @param format the file format, detected from the content, such as {@code PyTorch snapshot (pickle
 *     protocol 4)}
 * @param producer the program that wrote it, as far as the file shows, such as {@code PyTorch 2.10
 *     or 2.11}
 * @param captureMicros time of the capture, in microseconds since 1970, or {@link Trace#NO_TIME}
 */
public record Origin(String format, String producer, long captureMicros) {
  /** What programs of XLA's allocator are called: JAX, TensorFlow and others. */
  private static final String XLA = "XLA or TensorFlow";

  /** The format of a stored log, which is no snapshot. */
  public static final String LOG = "log";

  /** The format of a stored compiled program, which is no snapshot. */
  public static final String COMPILED = "compiled program";

  /** The format of a device memory profile, which has sizes and stacks but no addresses. */
  public static final String PROFILE = "JAX device memory profile";

  /** The origin of a log. */
  public static Origin ofLog(String producer) {
    return new Origin(LOG, producer, Trace.NO_TIME);
  }

  /** The producer of a file about an allocator of XLA; the name may be empty. */
  public static String xla(String allocator) {
    return XLA + (allocator.isEmpty() ? "" : ", allocator " + allocator);
  }

  /** Whether a program of XLA's allocator wrote it, to which settings of PyTorch mean nothing. */
  public boolean isOfXla() {
    return producer.startsWith(XLA);
  }

  /** Whether it is a compiled program. */
  public boolean isCompiled() {
    return format.equals(COMPILED);
  }

  /** Whether it is a log. */
  public boolean isLog() {
    return format.equals(LOG);
  }
}
