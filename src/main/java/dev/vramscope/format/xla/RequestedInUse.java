package dev.vramscope.format.xla;

import dev.vramscope.evidence.BinLine;
import dev.vramscope.evidence.RequestedInBins;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the program requested of the chunks in use: the sum over the size classes of a dump. */
final class RequestedInUse {
  private static final Pattern BIN = Pattern.compile(BinLine.PATTERN);

  private static final Pattern COUNTS = Pattern.compile(BinLine.COUNTS_PATTERN);

  private final BinCounts counts = new BinCounts();
  private final RequestedInBins totals = new RequestedInBins();

  /** Reads a line. */
  void read(String line) {
    Matcher bin = BIN.matcher(line);
    if (bin.find()) {
      totals.add(bin);
    }
    Matcher count = COUNTS.matcher(line);
    if (count.find()) {
      counts.add(Long.parseLong(count.group(2)), Long.parseLong(count.group(1)));
    }
  }

  /** How the size classes contradict the chunks, if they do. */
  Optional<Finding> contradiction(Chunks chunks) {
    return counts.contradiction(chunks, -1);
  }

  /** What the size classes say of the pool. */
  PoolRecord record() {
    return new PoolRecord(
        totals.bins().stream()
            .map(each -> new PoolRecord.Requested(each.bytes(), each.errorBytes()))
            .toList(),
        OptionalDouble.empty());
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
