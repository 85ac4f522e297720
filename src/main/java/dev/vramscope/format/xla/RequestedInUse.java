package dev.vramscope.format.xla;

import dev.vramscope.evidence.BinLine;
import dev.vramscope.evidence.RequestedInBins;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the program requested of the chunks in use: the sum over the size classes of a dump. */
final class RequestedInUse {
  private static final Pattern BIN = Pattern.compile(BinLine.PATTERN);

  private final RequestedInBins totals = new RequestedInBins();

  /** Reads a line. */
  void read(String line) {
    Matcher bin = BIN.matcher(line);
    if (bin.find()) {
      totals.add(bin);
    }
  }

  /** That chunks are larger than their requests, if all size classes are known and it is so. */
  Optional<Finding> finding(long inUseBytes) {
    return totals
        .requested()
        .filter(requested -> requested.mostBytes() < inUseBytes)
        .map(
            requested ->
                FindingKind.CHUNKS_BEYOND_REQUESTS.finding(
                    1,
                    ByteText.of(inUseBytes),
                    ByteText.of(requested.bytes()),
                    ByteText.of(inUseBytes - requested.bytes())));
  }
}
