package dev.vramscope.explain.xla;

import static dev.vramscope.explain.message.Amounts.difference;
import static dev.vramscope.explain.message.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.SentenceCase;
import java.util.List;
import java.util.Optional;

/** What follows from the messages of the BFC allocator, and of TensorFlow's operations on it. */
final class BfcConclusion {
  private static final int MAX_HOLDERS = 5;

  private final LogMessage message;
  private final Conclusion.Builder conclusion;
  private final Optional<Quantity> requested;
  private final BfcPool pool;
  private final Program program;
  private final BfcRequest request;

  /** Whether a message of the same failure has the allocator's numbers. */
  private final boolean hasNumbers;

  private BfcConclusion(LogMessage message, List<LogMessage> all, Program program) {
    this.message = message;
    this.program = program;
    conclusion = new Conclusion.Builder(message);
    request = BfcRequest.of(all);
    requested = request.bytes();
    pool = BfcPool.of(message);
    hasNumbers =
        all.stream()
            .anyMatch(
                other -> other.kind() == Xla.BFC && other.quantity(FieldName.LIMIT).isPresent());
  }

  static Conclusion of(LogMessage message, List<LogMessage> all, Program program) {
    BfcConclusion bfc = new BfcConclusion(message, all, program);
    if (message.kind() == Xla.TF_TENSOR) {
      return bfc.tensor();
    }
    return message.kind() == Xla.BFC_WARNING ? bfc.warning() : bfc.failure();
  }

  private Conclusion warning() {
    return conclusion
        .headline(
            "The allocator "
                + message.written(FieldName.ALLOCATOR).orElse("")
                + " had no "
                + message.written(FieldName.REQUESTED).orElse("memory")
                + ", and the program went on without it.")
        .certain(
            "This is not a failure: the message says that the program can do without this memory.")
        .likely(
            "The program asked for more memory to try a faster algorithm, for instance of a"
                + " convolution, and chose another one.")
        .likely("The device was nearly full, and the program runs slower than it could.")
        .build();
  }

  private Conclusion tensor() {
    Optional<Quantity> size = TensorSize.of(message);
    conclusion.headline("TensorFlow had no memory for a tensor " + described() + ".");
    if (size.isEmpty() && !hasNumbers) {
      TensorSize.asFloat(message)
          .ifPresent(
              bytes ->
                  conclusion.likely(
                      "The tensor has "
                          + ByteText.of(bytes.bytes())
                          + ", if its elements are of the usual type, float; the text does not name"
                          + " it."));
    }
    if (hasNumbers) {
      conclusion.certain(described() + ".");
      return conclusion.build();
    }
    conclusion.unknown(
        "How much memory was free, and what holds the rest: the lines of bfc_allocator.cc before"
            + " this one have it.");
    conclusion.remedy(BfcRemedies.SMALLER_BATCH);
    conclusion.next(CollectionAdvice.BFC_DUMP);
    return conclusion.build();
  }

  /** The tensor: its shape, type, size and operation. */
  private String described() {
    return (hasNumbers ? "The request was that of a tensor " : "")
        + message.written(FieldName.SHAPE).orElse("of unknown shape")
        + message.written(FieldName.TYPE).map(type -> " of type " + type).orElse("")
        + TensorSize.of(message).map(bytes -> ", " + ByteText.of(bytes.bytes())).orElse("")
        + message.written(FieldName.OPERATION).map(name -> ", in the operation " + name).orElse("");
  }

  private Conclusion failure() {
    conclusion.headline(
        message
                .written(FieldName.ALLOCATOR)
                .map(name -> "The BFC allocator " + name)
                .orElse("The BFC allocator")
            + requested
                .filter(_ -> !request.isAssumed())
                .map(bytes -> " could not serve a request of " + ByteText.of(bytes.bytes()) + ".")
                .orElse(
                    request.isAssumed()
                        ? " could not serve a request for a tensor."
                        : ": a part of its dump, without the request that failed."));
    Optional<Quantity> unused = pool.unused();
    BfcCause cause = BfcCause.UNKNOWN;
    if (unused.isPresent() && requested.isPresent()) {
      cause = cause(unused.get(), requested.get());
    } else if (unused.isEmpty()) {
      conclusion.unknown(
          "Why the request failed: the text has no usable numbers of Limit and InUse.");
    } else {
      conclusion.unknown("Why the request failed: its size is not in the text.");
    }
    conclusion.total(pool.limit());
    conclusion.share(Share.Kind.ALLOCATED, "In use", pool.inUse());
    conclusion.share(Share.Kind.UNALLOCATED, "Free chunks in the pool", pool.free());
    conclusion.share(
        Share.Kind.FREE,
        pool.bytes().isPresent() ? "Below the limit, not acquired" : "Below the limit",
        pool.bytes().isPresent() ? pool.available() : unused);
    holders();
    if (requested.isPresent()) {
      BfcRemedies.add(
          conclusion,
          program,
          cause,
          requested.flatMap(bytes -> unused.map(free -> difference(bytes, free))));
    }
    if (program == Program.JAX) {
      conclusion.next(CollectionAdvice.JAX_PROFILE);
    }
    if (message.quantity(FieldName.LIMIT).isEmpty()) {
      conclusion.next(CollectionAdvice.BFC_DUMP);
    }
    return conclusion.build();
  }

  /** Who allocated the chunks, where the dump names it. */
  private void holders() {
    List<String> holders =
        message.fields().stream()
            .filter(each -> each.name() == FieldName.HELD_BY)
            .map(each -> each.of() + " " + each.quantity().map(bytes -> text(bytes)).orElse(""))
            .limit(MAX_HOLDERS)
            .toList();
    if (holders.isEmpty()) {
      conclusion.unknown(
          "Which buffers the chunks are: the dump has their addresses and sizes, not their names.");
    } else {
      conclusion.certain(
          "What is in use, by the program that allocated it: " + String.join(", ", holders) + ".");
      conclusion.unknown(
          "Which arrays the chunks are: the dump names the compiled programs that allocated them.");
    }
  }

  private BfcCause cause(Quantity unused, Quantity bytes) {
    Quantity limit = pool.limit().orElseThrow();
    Quantity inUse = pool.inUse().orElseThrow();
    String sizes = sizes(limit, inUse, unused);
    Optional<String> contradiction = pool.contradiction();
    if (contradiction.isPresent()) {
      conclusion.certain("The numbers contradict each other: " + contradiction.get() + ".");
      return BfcCause.UNKNOWN;
    }
    if (isSurelyMore(bytes, limit)) {
      state("The request is larger than the limit of the allocator, " + text(limit) + ".");
      return BfcCause.EXCEEDS_LIMIT;
    }
    if (isSurelyMore(bytes, unused)) {
      state(
          sizes
              + ", "
              + text(difference(bytes, unused))
              + " too little for the request. It would not have fitted in one piece either.");
      conclusion.likely(
          "Too much live memory. One moment does not show whether it grew from step to step, nor"
              + " whether the device had room for a larger pool.");
      unrequested(difference(bytes, unused));
      return BfcCause.FULL;
    }
    Optional<Quantity> available = pool.available();
    if (available.isPresent() && isSurelyAtLeast(available.get(), bytes)) {
      state(
          sizes
              + (pool.room().isPresent()
                  ? ": more than the request."
                  : ", more than the request, and the pool was "
                      + text(available.get())
                      + " below its limit."));
      conclusion.likely(
          "The pool could have grown by that, but the driver had no such piece: another process or"
              + " another library of this program holds the device’s memory.");
      conclusion.next(CollectionAdvice.PROCESSES);
      return BfcCause.DRIVER;
    }
    Optional<Quantity> usable =
        pool.largestFree().filter(largest -> isSurelyAtLeast(largest, bytes));
    if (usable.isPresent()) {
      conclusion.likely(
          "A free chunk of "
              + text(usable.get())
              + " is large enough. It was not used: a stream may not have finished with it when the"
              + " request came, or it is kept for the other end of the pool.");
      return BfcCause.UNKNOWN;
    }
    if (isSurelyAtLeast(unused, bytes)) {
      state(
          sizes
              + ", more than the request. No free chunk is large enough, or it would have been"
              + " used: the free memory is in pieces"
              + pool.largestFree().map(most -> ", the largest of " + text(most)).orElse("")
              + ".");
      unrequested(bytes);
      return BfcCause.PIECES;
    }
    conclusion.likely(sizes + ", about as much as the request.");
    unrequested(bytes);
    return BfcCause.UNKNOWN;
  }

  /** What is in use, of the pool and of what its limit allows. */
  private String sizes(Quantity limit, Quantity inUse, Quantity unused) {
    Optional<Quantity> room = pool.room();
    if (room.isEmpty()) {
      return text(inUse)
          + " of the limit of "
          + text(limit)
          + " are in use; "
          + text(unused)
          + " are not";
    }
    Quantity acquired = pool.bytes().orElseThrow();
    return text(inUse)
        + " of the "
        + text(acquired)
        + " that the pool has acquired are in use; "
        + text(difference(acquired, inUse))
        + " are not, and the limit of "
        + text(limit)
        + " allows "
        + text(room.get())
        + " more";
  }

  /** What the chunks in use have beyond their requests: the allocator splits few of them. */
  private void unrequested(Quantity missingBytes) {
    Optional<Quantity> beyond = pool.unrequested();
    if (beyond.isEmpty() || !isSurelyMore(beyond.get(), Quantity.exact(0))) {
      return;
    }
    conclusion.certain(
        "Of what is in use, the program requested "
            + text(pool.requested().orElseThrow())
            + "; "
            + text(beyond.get())
            + " are in chunks beyond their requests"
            + (isSurelyAtLeast(beyond.get(), missingBytes) ? ", more than the request lacked" : "")
            + ". The allocator splits a chunk only if half of it or 128 MiB would remain.");
  }

  /** A statement that follows from the size of the request, which may be an assumption. */
  private void state(String sentences) {
    // One may begin with "about" and a size.
    String text = SentenceCase.of(sentences);
    if (request.isAssumed()) {
      conclusion.likely(
          "If the elements of the tensor are of the usual type, float, the request is "
              + text(requested.orElseThrow())
              + ". "
              + text);
    } else {
      conclusion.certain(text);
    }
  }
}
