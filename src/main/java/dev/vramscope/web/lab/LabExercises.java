package dev.vramscope.web.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The exercises of the lab. Their scripts are files beside this class. */
final class LabExercises {
  private static final int ALL = -1;

  /** In the order in which a newcomer would take them. */
  static final List<LabExercise> LIST =
      List.of(
          exercise(
              "strip",
              "One segment",
              "Divide a segment of 128 MiB into blocks, free some, and see what is left in one"
                  + " piece.",
              ALL,
              caching("", "160MiB")),
          exercise(
              "expandable",
              "Fixed and expandable segments",
              "The same requests with both kinds of segments: what does each reserve?",
              0,
              caching("", "4GiB"),
              caching("expandable_segments:True", "4GiB")),
          exercise(
              "streams",
              "Streams",
              "Free a block that a kernel on another stream still uses, with record_stream and"
                  + " without it.",
              0,
              caching("", "1GiB")),
          exercise(
              "varying",
              "Varying batches until it fails",
              "Steps of varying size: live memory would fit easily, the segments do not.",
              0,
              caching("", "8GiB"),
              caching("expandable_segments:True", "8GiB")),
          exercise(
              "bfc",
              "Caching and BFC",
              "The same requests in PyTorch’s allocator and in XLA’s, with its bins.",
              0,
              caching("", "256MiB"),
              new LabRequest.LabAllocator(
                  "bfc", "memory_limit=256MiB,enable_spatial_partitioning=false", "256MiB")),
          exercise(
              "ladder",
              "The ladder of a request",
              "One request that fails, from the free blocks to the error message, rung by rung.",
              ALL,
              caching("", "256MiB")));

  private LabExercises() {}

  static Optional<LabExercise> find(String id) {
    return LIST.stream().filter(exercise -> exercise.id().equals(id)).findFirst();
  }

  private static LabExercise exercise(
      String id, String title, String lead, int shown, LabRequest.LabAllocator... sides) {
    return new LabExercise(id, title, lead, List.of(sides), script(id), shown);
  }

  private static LabRequest.LabAllocator caching(String settings, String deviceBytes) {
    return new LabRequest.LabAllocator("caching", settings, deviceBytes);
  }

  static String script(String id) {
    String name = "exercises/" + id + ".txt";
    try (InputStream in = LabExercises.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
