package dev.vramscope.explain.torch;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.model.SizeRules;
import java.util.Optional;

/**
 * The numbers of a message of PyTorch's caching allocator.
 *
 * @param allocated includes what is free in private pools, as the message has it
 * @param privatePools what is free in private pools
 * @param unallocated reserved and free, without private pools
 * @param allowed the most that the program may reserve
 * @param thisProcess used by this process in all
 */
public record TorchNumbers(
    Quantity requested,
    Optional<Quantity> total,
    Optional<Quantity> free,
    Optional<Quantity> allocated,
    Optional<Quantity> privatePools,
    Optional<Quantity> unallocated,
    Optional<Quantity> allowed,
    Optional<Quantity> thisProcess) {
  /** How numbers contradict each other, whatever was rounded. */
  public enum Contradiction {
    /** More is allocated than the device has. */
    EXCEEDS_DEVICE,
    /** Reserved and free memory together are more than the device has. */
    EXCEEDS_WITH_FREE,
    /** The process is said to use less than its allocator has reserved. */
    EXCEEDS_PROCESS
  }

  /** The numbers of a message; empty if it does not say how large the request was. */
  public static Optional<TorchNumbers> of(LogMessage message) {
    Optional<Quantity> allocated = message.quantity(FieldName.ALLOCATED);
    return message
        .quantity(FieldName.REQUESTED)
        .map(
            requested ->
                new TorchNumbers(
                    requested,
                    message.quantity(FieldName.TOTAL),
                    message.quantity(FieldName.FREE),
                    allocated,
                    message.quantity(FieldName.PRIVATE_POOLS),
                    unallocated(message, allocated),
                    message.quantity(FieldName.ALLOWED),
                    // In a container, PyTorch does not find itself in the driver's list.
                    message.quantity(FieldName.THIS_PROCESS).filter(used -> used.bytes() > 0)));
  }

  private static Optional<Quantity> unallocated(LogMessage message, Optional<Quantity> allocated) {
    return message
        .quantity(FieldName.UNALLOCATED)
        .or(() -> message.quantity(FieldName.CACHED)) // Before 1.4: what the cache has free.
        .or(
            () ->
                message
                    .quantity(FieldName.RESERVED)
                    .flatMap(all -> allocated.map(part -> Amounts.difference(all, part))));
  }

  /** All that the allocator holds. */
  public Optional<Quantity> reserved() {
    return allocated.flatMap(bytes -> unallocated.map(bytes::plus));
  }

  /** What the driver is asked for, with the default settings: a whole segment. */
  public Quantity segment() {
    SizeRules rules = SizeRules.DEFAULT;
    long bytes = rules.segmentBytes(rules.roundedBytes(requested.bytes()));
    return new Quantity(bytes, requested.errorBytes());
  }

  /** The first contradiction; empty if there is none. */
  public Optional<Contradiction> contradiction() {
    if (isMore(allocated, total)) {
      return Optional.of(Contradiction.EXCEEDS_DEVICE);
    }
    Optional<Quantity> held = reserved().or(() -> allocated);
    if (isMore(held.map(bytes -> free.map(bytes::plus).orElse(bytes)), total)) {
      return Optional.of(Contradiction.EXCEEDS_WITH_FREE);
    }
    return isMore(held, thisProcess)
        ? Optional.of(Contradiction.EXCEEDS_PROCESS)
        : Optional.empty();
  }

  private static boolean isMore(Optional<Quantity> a, Optional<Quantity> b) {
    return a.isPresent() && b.isPresent() && Amounts.isSurelyMore(a.get(), b.get());
  }
}
