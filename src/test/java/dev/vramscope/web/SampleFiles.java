package dev.vramscope.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.core.io.ClassPathResource;

/** The bundled samples as files for tests. */
final class SampleFiles {
  static final String FRAGMENTED = "out-of-memory-fragmented";
  static final String HEALTHY = "healthy-training-run";

  private SampleFiles() {}

  /** The bundled file, compressed with gzip. */
  static byte[] gzip(String name) {
    try (var stream = new ClassPathResource("samples/" + name + ".pickle.gz").getInputStream()) {
      return stream.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
