package dev.vramscope.explain.xla;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pool of a BFC allocator when a request failed, from one dump. Its numbers are written more
 * than once, some of them rounded: each is taken from where it is the most exact.
 *
 * @param limit the most that the pool may have
 * @param bytes what the pool has, as regions
 * @param inUse in chunks that are in use
 * @param requested requested of that by the program
 * @param free in free chunks
 * @param largestFree the largest free chunk
 * @param available below the limit, not in the pool
 * @param below the same as the text has it
 */
public record BfcPool(
    Optional<Quantity> limit,
    Optional<Quantity> bytes,
    Optional<Quantity> inUse,
    Optional<Quantity> requested,
    Optional<Quantity> free,
    Optional<Quantity> largestFree,
    Optional<Quantity> available,
    Optional<Quantity> below) {
  public static BfcPool of(LogMessage dump) {
    Optional<Quantity> limit = dump.quantity(FieldName.LIMIT);
    Optional<Quantity> bytes = dump.quantity(FieldName.POOL);
    Optional<Quantity> inUse =
        dump.quantity(FieldName.IN_USE).or(() -> dump.quantity(FieldName.IN_USE_CHUNKS));
    return new BfcPool(
        limit,
        bytes,
        inUse,
        dump.quantity(FieldName.CLIENT_REQUESTED),
        exactest(dump.quantity(FieldName.FREE_CHUNKS), difference(bytes, inUse)),
        dump.quantity(FieldName.LARGEST_FREE),
        exactest(dump.quantity(FieldName.AVAILABLE), difference(limit, bytes)),
        dump.quantity(FieldName.AVAILABLE));
  }

  /** What is not in use, in the pool and below its limit; unknown without both of these. */
  public Optional<Quantity> unused() {
    if (limit.isEmpty() || inUse.isEmpty()) {
      return Optional.empty();
    }
    return exactest(difference(limit, inUse), available.flatMap(rest -> free.map(rest::plus)));
  }

  /** What the limit lets the pool grow by; empty if the text does not have it, or if it is full. */
  public Optional<Quantity> room() {
    return difference(limit, bytes).filter(room -> room.leastBytes() > 0);
  }

  /** How numbers of the pool contradict each other, whatever was rounded; empty if they do not. */
  public Optional<String> contradiction() {
    if (isMore(inUse, limit)) {
      return Optional.of(text(inUse) + " in use are more than the limit of " + text(limit));
    }
    if (isMore(inUse, bytes)) {
      return Optional.of(
          text(inUse) + " in use are more than the pool has acquired, " + text(bytes));
    }
    Optional<Quantity> room = difference(limit, bytes);
    return isMore(room, below) || isMore(below, room)
        ? Optional.of(
            "with a pool of "
                + text(bytes)
                + ", the limit of "
                + text(limit)
                + " allows "
                + text(room)
                + " more, but the text says "
                + text(below))
        : Optional.empty();
  }

  private static boolean isMore(Optional<Quantity> a, Optional<Quantity> b) {
    return a.isPresent() && b.isPresent() && Amounts.isSurelyMore(a.get(), b.get());
  }

  private static String text(Optional<Quantity> quantity) {
    return Amounts.text(quantity.orElseThrow());
  }

  /** What the chunks in use have beyond what was requested. */
  public Optional<Quantity> unrequested() {
    return difference(inUse, requested);
  }

  private static Optional<Quantity> difference(Optional<Quantity> a, Optional<Quantity> b) {
    return a.flatMap(from -> b.map(less -> Amounts.difference(from, less)));
  }

  private static Optional<Quantity> exactest(Optional<Quantity> a, Optional<Quantity> b) {
    return Stream.of(a, b)
        .flatMap(Optional::stream)
        .min(Comparator.comparingLong(Quantity::errorBytes));
  }
}
