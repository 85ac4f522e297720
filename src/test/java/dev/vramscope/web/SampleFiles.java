package dev.vramscope.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.core.io.ClassPathResource;

/** The bundled samples as files for tests. */
final class SampleFiles {
  static final String IN_PIECES = "out-of-memory-in-pieces";
  static final String HEALTHY = "healthy-training-run";

  private SampleFiles() {}

  /** Gzip, as it lies in the jar. */
  static byte[] gzip(String name) {
    try (var stream = new ClassPathResource("samples/" + name + ".pickle.gz").getInputStream()) {
      return stream.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
