package dev.vramscope.model;

/**
 * A mark set by the program during the recording, such as the start of a training step.
 *
 * @param name free text
 * @param stage whether it marks a start or an end
 * @param timeMicros microseconds since 1970, or {@link Trace#NO_TIME}
 */
public record Annotation(String name, Stage stage, long timeMicros) {
  /** Which end of a span an annotation marks. */
  public enum Stage {
    START,
    END
  }
}
