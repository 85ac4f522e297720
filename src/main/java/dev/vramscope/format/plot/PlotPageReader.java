package dev.vramscope.format.plot;

import dev.vramscope.format.BoundedJson;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;

/** Reads the data of a page of {@code trace_plot}, {@code profile_plot} or {@code segment_plot}. */
public final class PlotPageReader {
  /** Where the data begins, within the first bytes of a page. */
  public static final Pattern MARK = Pattern.compile("let (?:alloc|trace)_data = \\{");

  private static final byte[] ALLOCATIONS = "let alloc_data = ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENTS = "let trace_data = ".getBytes(StandardCharsets.US_ASCII);

  static final String NEXT =
      "Write the page again with _memory_viz.py, or upload the pickle that it was made of.";

  private PlotPageReader() {}

  /**
   * Reads a page up to the end of its data.
   *
   * @throws FormatException if the data is malformed, too large, or not what these pages have
   */
  public static Snapshot read(InputStream page, ReadLimits limits)
      throws IOException, FormatException {
    InputStream in = new BufferedInputStream(page, 1 << 16);
    boolean isOfAllocations = skipToData(in);
    PlotTables tables = new PlotTables(limits);
    try (JsonParser json =
        BoundedJson.factory(limits).build().createParser(ObjectReadContext.empty(), in)) {
      tables.read(json);
    } catch (JacksonIOException broken) {
      throw broken.getCause();
    } catch (JacksonException bad) {
      String where =
          bad.getLocation() == null
              ? ""
              : "byte " + bad.getLocation().getByteOffset() + " of the data";
      throw BoundedJson.rejection(bad, where, NEXT);
    }
    return isOfAllocations
        ? new AllocationPlot(tables, limits).snapshot()
        : new SegmentPlot(tables, limits).snapshot();
  }

  /** Whether the data, which begins after what is read here, is that of allocations. */
  private static boolean skipToData(InputStream in) throws IOException, FormatException {
    int allocations = 0;
    int events = 0;
    for (int value = in.read(); value >= 0; value = in.read()) {
      // The marks have no prefix that occurs again inside them, but for their first letter.
      allocations = value == ALLOCATIONS[allocations] ? allocations + 1 : value == 'l' ? 1 : 0;
      events = value == EVENTS[events] ? events + 1 : value == 'l' ? 1 : 0;
      if (allocations == ALLOCATIONS.length || events == EVENTS.length) {
        return allocations == ALLOCATIONS.length;
      }
    }
    throw new FormatException(
        Reason.NOT_A_SNAPSHOT, "the page has no data of allocations", "the whole page", NEXT);
  }
}
