package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.FindingKind;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads a snapshot written by {@code json.dump(torch.cuda.memory._snapshot(), file)}. */
public final class TorchJsonReader {
  private static final String NEXT =
      "Write the file again; a pickle of torch.cuda.memory._dump_snapshot(file) is smaller.";

  // Python writes a double in at most 24 characters and an address in 20.
  private static final int MAX_NUMBER_LENGTH = 100;

  private TorchJsonReader() {}

  /**
   * Reads the stream to its end.
   *
   * @throws FormatException if the JSON is malformed or is not a snapshot
   */
  public static Snapshot read(InputStream in, ReadLimits limits)
      throws FormatException, IOException {
    SnapshotAssembler assembler = new SnapshotAssembler(limits);
    try (JsonParser parser = factory(limits).createParser(ObjectReadContext.empty(), in)) {
      return read(parser, in, assembler, limits);
    } catch (JacksonIOException broken) {
      throw broken.getCause();
    }
  }

  private static Snapshot read(
      JsonParser parser, InputStream in, SnapshotAssembler assembler, ReadLimits limits)
      throws FormatException, IOException {
    try {
      JsonDriver driver = new JsonDriver(parser, assembler.values(), assembler, limits);
      long root = driver.run();
      assembler.findings().count(FindingKind.TRAILING_BYTES, driver.countTrailingBytes(in));
      return assembler.finish(root, "PyTorch snapshot (JSON)");
    } catch (FormatException rejected) {
      throw rejected.at("byte " + parser.currentTokenLocation().getByteOffset());
    } catch (JacksonIOException broken) {
      throw broken;
    } catch (JacksonException bad) {
      throw rejection(bad, parser.currentLocation().getByteOffset());
    }
  }

  private static JsonFactory factory(ReadLimits limits) {
    return JsonFactory.builder()
        // Python writes NaN and Infinity.
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxDocumentLength(limits.maxBytes())
                .maxNestingDepth(limits.encoding().maxDepth())
                .maxNameLength(limits.encoding().maxStringBytes())
                .maxStringLength(limits.encoding().maxStringBytes())
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .build())
        .build();
  }

  private static FormatException rejection(JacksonException bad, long offset) {
    Reason reason =
        switch (bad) {
          case StreamConstraintsException _ -> Reason.TOO_LARGE;
          case UnexpectedEndOfInputException _ -> Reason.TRUNCATED;
          default -> Reason.MALFORMED;
        };
    // The exception of a limit has no location; the parser has one.
    long at = bad.getLocation() == null ? offset : bad.getLocation().getByteOffset();
    String what = bad.getOriginalMessage().replaceFirst(", from `[^`]*`", "");
    return new FormatException(reason, what, "byte " + at, NEXT);
  }
}
