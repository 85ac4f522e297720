package dev.vramscope.format.xla;

import dev.vramscope.evidence.BinLine;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Finding;
import dev.vramscope.model.FindingKind;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the program requested of the chunks in use: the sum over the size classes of a dump. */
final class RequestedInUse {
  private static final Pattern BIN = Pattern.compile(BinLine.PATTERN);

  private Quantity sum = Quantity.exact(0);
  private int bins;
  private boolean isUnreadable;

  /** Reads a line. */
  void read(String line) {
    Matcher bin = BIN.matcher(line);
    if (bin.find()) {
      Optional<Quantity> requested = BinLine.requested(bin);
      isUnreadable |= requested.isEmpty();
      sum = sum.plus(requested.orElse(Quantity.exact(0)));
      bins++;
    }
  }

  /** That chunks are larger than their requests, if all size classes are known and it is so. */
  Optional<Finding> finding(long inUseBytes) {
    return isUnreadable || bins != BinLine.COUNT || sum.mostBytes() >= inUseBytes
        ? Optional.empty()
        : Optional.of(
            FindingKind.CHUNKS_BEYOND_REQUESTS.finding(
                1,
                ByteText.of(inUseBytes),
                ByteText.of(sum.bytes()),
                ByteText.of(inUseBytes - sum.bytes())));
  }
}
