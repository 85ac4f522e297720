package dev.vramscope.explain;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.SizeRules;
import java.util.Optional;

/**
 * The numbers of a message of PyTorch's caching allocator.
 *
 * @param allocated includes what is free in private pools, as the message has it
 * @param privatePools what is free in private pools
 * @param unallocated reserved and free, without private pools
 * @param allowed the most that the program may reserve
 */
record TorchNumbers(
    Quantity requested,
    Optional<Quantity> total,
    Optional<Quantity> free,
    Optional<Quantity> allocated,
    Optional<Quantity> privatePools,
    Optional<Quantity> unallocated,
    Optional<Quantity> allowed) {

  /** The numbers of a finding; empty if it does not say how large the request was. */
  static Optional<TorchNumbers> of(Finding finding) {
    Optional<Quantity> allocated = finding.quantity(FieldName.ALLOCATED);
    return finding
        .quantity(FieldName.REQUESTED)
        .map(
            requested ->
                new TorchNumbers(
                    requested,
                    finding.quantity(FieldName.TOTAL),
                    finding.quantity(FieldName.FREE),
                    allocated,
                    finding.quantity(FieldName.PRIVATE_POOLS),
                    unallocated(finding, allocated),
                    finding.quantity(FieldName.ALLOWED)));
  }

  private static Optional<Quantity> unallocated(Finding finding, Optional<Quantity> allocated) {
    return finding
        .quantity(FieldName.UNALLOCATED)
        .or(() -> finding.quantity(FieldName.CACHED)) // Before 1.4: what the cache has free.
        .or(
            () ->
                finding
                    .quantity(FieldName.RESERVED)
                    .flatMap(all -> allocated.map(part -> Amounts.difference(all, part))));
  }

  /** All that the allocator holds. */
  Optional<Quantity> reserved() {
    return allocated.flatMap(bytes -> unallocated.map(bytes::plus));
  }

  /** What the driver is asked for, with the default settings: a whole segment. */
  Quantity segment() {
    SizeRules rules = SizeRules.DEFAULT;
    long bytes = rules.segmentBytes(rules.roundedBytes(requested.bytes()));
    return new Quantity(bytes, requested.errorBytes());
  }

  /** More reserved and free than there is. */
  boolean areContradictory() {
    return total.isPresent()
        && reserved().isPresent()
        && Amounts.isSurelyMore(
            free.map(reserved().get()::plus).orElse(reserved().get()), total.get());
  }
}
