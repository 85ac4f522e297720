package dev.vramscope.model;

/**
 * A mark the program set while recording, such as the beginning of a training step.
 *
 * @param name free text
 * @param stage whether something starts or ends
 * @param timeMicros microseconds since 1970, or {@link Trace#NO_TIME}
 */
public record Annotation(String name, Stage stage, long timeMicros) {
  /** Which end of a span an annotation marks. */
  public enum Stage {
    START,
    END
  }
}
