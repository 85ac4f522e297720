package dev.vramscope.explain;

import static dev.vramscope.explain.Amounts.difference;
import static dev.vramscope.explain.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.Amounts.isSurelyMore;
import static dev.vramscope.explain.Amounts.minus;
import static dev.vramscope.explain.Amounts.text;

import dev.vramscope.analysis.ByteText;
import dev.vramscope.evidence.Quantity;
import java.util.List;
import java.util.Optional;

/** What follows from the messages of the BFC allocator, and of TensorFlow's operations on it. */
final class BfcConclusion {
  private final Finding finding;
  private final Conclusion.Builder conclusion;
  private final Optional<Quantity> requested;
  private final Optional<Quantity> limit;
  private final Optional<Quantity> inUse;
  private final Optional<Quantity> pool;
  private final boolean isTensorFlow;

  private BfcConclusion(Finding finding, List<Finding> all) {
    this.finding = finding;
    conclusion = new Conclusion.Builder(finding);
    requested =
        finding
            .quantity(FieldName.ROUNDED)
            .or(() -> finding.quantity(FieldName.REQUESTED))
            .or(() -> requestOf(all));
    limit = finding.quantity(FieldName.LIMIT);
    inUse = finding.quantity(FieldName.IN_USE).or(() -> finding.quantity(FieldName.IN_USE_CHUNKS));
    pool = finding.quantity(FieldName.POOL);
    isTensorFlow = all.stream().anyMatch(other -> other.kind() == FindingKind.TF_TENSOR);
  }

  static Conclusion of(Finding finding, List<Finding> all) {
    BfcConclusion bfc = new BfcConclusion(finding, all);
    return switch (finding.kind()) {
      case TF_TENSOR -> bfc.tensor();
      case BFC_WARNING -> bfc.warning();
      default -> bfc.failure();
    };
  }

  /** A dump without its first line: the operation that failed is named after it. */
  private static Optional<Quantity> requestOf(List<Finding> all) {
    List<Quantity> others =
        all.stream()
            .flatMap(
                other ->
                    (other.kind() == FindingKind.TF_TENSOR
                            ? TensorSize.of(other)
                            : other.kind() == FindingKind.XLA_OOM
                                ? other.quantity(FieldName.REQUESTED)
                                : Optional.<Quantity>empty())
                        .stream())
            .distinct()
            .toList();
    return others.size() == 1 ? Optional.of(others.getFirst()) : Optional.empty();
  }

  private Conclusion warning() {
    return conclusion
        .headline(
            "The allocator "
                + finding.written(FieldName.ALLOCATOR).orElse("")
                + " had no "
                + finding.written(FieldName.REQUESTED).orElse("memory")
                + ", and the program went on without it.")
        .certain(
            "This is not a failure. XLA asked for more memory to try a faster algorithm, for"
                + " instance of a convolution, and chose another one.")
        .likely("The device was nearly full, and the program runs slower than it could.")
        .build();
  }

  private Conclusion tensor() {
    Optional<Quantity> size = TensorSize.of(finding);
    String shape = finding.written(FieldName.SHAPE).orElse("of unknown shape");
    conclusion.headline(
        "TensorFlow had no memory for a tensor "
            + shape
            + finding.written(FieldName.TYPE).map(type -> " of type " + type).orElse("")
            + size.map(bytes -> ", " + ByteText.of(bytes.bytes())).orElse("")
            + finding
                .written(FieldName.OPERATION)
                .map(name -> ", in the operation " + name)
                .orElse("")
            + ".");
    if (size.isEmpty()) {
      TensorSize.asFloat(finding)
          .ifPresent(
              bytes ->
                  conclusion.likely(
                      "The tensor has "
                          + ByteText.of(bytes.bytes())
                          + ", if its elements are of the usual type, float; the text does not name"
                          + " it."));
    }
    conclusion.unknown(
        "How much memory was free, and what holds the rest: the lines of bfc_allocator.cc before"
            + " this one have it.");
    conclusion.remedy(
        "The tensor grows with the batch, its first dimension as a rule: with half the batch it has"
            + " half the size.",
        "");
    conclusion.next(Collecting.BFC_DUMP);
    return conclusion.build();
  }

  private Conclusion failure() {
    conclusion.headline(
        finding
                .written(FieldName.ALLOCATOR)
                .map(name -> "The BFC allocator " + name)
                .orElse("The BFC allocator")
            + requested
                .map(bytes -> " could not serve a request of " + ByteText.of(bytes.bytes()) + ".")
                .orElse(": a part of its dump, without the request that failed."));
    Optional<Quantity> unused = limit.flatMap(all -> inUse.map(used -> difference(all, used)));
    if (unused.isPresent() && requested.isPresent()) {
      cause(unused.get(), requested.get());
    } else if (unused.isEmpty()) {
      conclusion.unknown(
          "Why the request failed: the lines with Limit and InUse are not in the text.");
    } else {
      conclusion.unknown("Why the request failed: its size is not in the text.");
    }
    conclusion.total(limit);
    conclusion.share(Share.Kind.ALLOCATED, "In use", inUse);
    conclusion.share(Share.Kind.UNALLOCATED, "Free chunks in the pool", minus(pool, inUse));
    conclusion.share(
        Share.Kind.FREE,
        pool.isPresent() ? "Below the limit, not acquired" : "Below the limit",
        pool.isPresent() ? minus(limit, pool) : unused);
    conclusion.unknown(
        "Which buffers the chunks are: the dump has their addresses and sizes, not their names.");
    if (isTensorFlow) {
      BfcRemedies.addTensorFlow(conclusion);
    } else {
      BfcRemedies.add(conclusion);
      conclusion.next(Collecting.JAX_PROFILE);
    }
    if (finding.quantity(FieldName.LIMIT).isEmpty()) {
      conclusion.next(Collecting.BFC_DUMP);
    }
    return conclusion.build();
  }

  private void cause(Quantity unused, Quantity request) {
    String sizes =
        text(inUse.orElseThrow())
            + " of the limit of "
            + text(limit.orElseThrow())
            + " are in use; "
            + text(unused)
            + " are not";
    if (isSurelyMore(request, limit.orElseThrow())) {
      conclusion.certain(
          "The request is larger than the limit of the allocator, "
              + text(limit.orElseThrow())
              + ".");
    } else if (isSurelyMore(request, unused)) {
      conclusion.certain(
          sizes
              + ", "
              + text(difference(request, unused))
              + " too little for the request. It would not have fitted in one piece either.");
    } else if (pool.isPresent()
        && isSurelyAtLeast(difference(limit.orElseThrow(), pool.get()), request)) {
      conclusion.certain(
          sizes
              + ", more than the request, and the pool was "
              + text(difference(limit.orElseThrow(), pool.get()))
              + " below its limit.");
      conclusion.likely(
          "The pool could have grown by that, but the driver had no such piece: another process or"
              + " another library of this program holds the device’s memory.");
      conclusion.next(Collecting.PROCESSES);
    } else if (isSurelyAtLeast(unused, request)) {
      conclusion.certain(
          sizes
              + ", more than the request. No free chunk is large enough, or it would have been"
              + " used: the free memory is in pieces.");
    } else {
      conclusion.likely(sizes + ", about as much as the request.");
    }
  }
}
