package dev.vramscope.format.xla;

import dev.vramscope.evidence.Quantity;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of a BFC allocator's pool, from the lines of a dump. Newer releases round it, such as
 * {@code Limit: 256.00MiB}; what the pool lacks to the limit may be exact, and then the limit is.
 */
public final class PoolLimit {
  private static final Pattern LIMIT =
      Pattern.compile(
          "(?:\\bLimit: {1,30}|\\bmemory_limit_: |\\bpool limit )" + Quantity.BARE_PATTERN);

  private static final Pattern AVAILABLE =
      Pattern.compile(
          "(?:\\bavailable (?:bytes|size): |\\bunallocated bytes )" + Quantity.BARE_PATTERN);

  private Optional<Quantity> limit = Optional.empty();
  private Optional<Quantity> available = Optional.empty();

  /** Reads a line. */
  public void read(String line) {
    limit = better(limit, LIMIT.matcher(line));
    available = better(available, AVAILABLE.matcher(line));
  }

  private static Optional<Quantity> better(Optional<Quantity> best, Matcher matcher) {
    if (!matcher.find()) {
      return best;
    }
    Optional<Quantity> quantity =
        Quantity.of(matcher.group(1), matcher.group(2)).map(Quantity::roundedDown);
    boolean isBetter =
        best.isEmpty()
            || (quantity.isPresent() && quantity.get().errorBytes() < best.get().errorBytes());
    return isBetter ? quantity : best;
  }

  /**
   * The limit; the nearest number to a rounded one. Empty if the dump has none, or one so rounded
   * that it is open whether the request exceeded it.
   *
   * @param poolBytes the sum of all chunks
   * @param requestedBytes the failed request, or negative if the dump does not have it
   */
  public OptionalLong bytes(long poolBytes, long requestedBytes) {
    if (limit.isEmpty()) {
      return OptionalLong.empty();
    }
    Quantity written = limit.get();
    if (isKnown(poolBytes)) {
      return OptionalLong.of(
          written.errorBytes() == 0
              ? written.bytes()
              : poolBytes + available.orElseThrow().bytes());
    }
    boolean isOpen =
        requestedBytes >= 0
            && (written.mayBe(requestedBytes) || written.mayBe(poolBytes + requestedBytes));
    // The pool is within its limit.
    return isOpen ? OptionalLong.empty() : OptionalLong.of(Math.max(written.bytes(), poolBytes));
  }

  /** How far the limit may differ from {@link #bytes}. */
  public long errorBytes(long poolBytes) {
    return limit.isEmpty() || isKnown(poolBytes) ? 0 : limit.get().errorBytes();
  }

  private boolean isKnown(long poolBytes) {
    return limit.orElseThrow().errorBytes() == 0
        || available
            .filter(each -> each.errorBytes() == 0)
            .filter(each -> limit.get().mayBe(poolBytes + each.bytes()))
            .isPresent();
  }
}
