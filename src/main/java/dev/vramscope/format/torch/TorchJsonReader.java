package dev.vramscope.format.torch;

import dev.vramscope.format.BoundedJson;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads a snapshot written by {@code json.dump(torch.cuda.memory._snapshot(), file)}. */
public final class TorchJsonReader {
  private static final String NEXT =
      "Write the file again; a pickle of torch.cuda.memory._dump_snapshot(file) is smaller.";

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
    // Python writes NaN and Infinity.
    return BoundedJson.factory(limits).enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  }

  private static FormatException rejection(JacksonException bad, long offset) {
    // The exception of a limit has no location; the parser has one.
    long at = bad.getLocation() == null ? offset : bad.getLocation().getByteOffset();
    return BoundedJson.rejection(bad, "byte " + at, NEXT);
  }
}
