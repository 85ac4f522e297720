package dev.vramscope.whatif.pool;

import dev.vramscope.model.Block;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.pool.ChunkRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * What the BFC allocator would have done with a failed request if one thing about its pool had been
 * another: each row is the allocator of this service with the chunks in use, which then gets the
 * request.
 *
 * @param rows one for each {@link Question}, in this order
 */
public record PoolTrials(List<Row> rows) {
  /** More chunks than these are not placed again and again. */
  private static final int MAX_ORDERED = 20_000;

  /** The order of the allocations is not recorded: by size, by address, and in so many others. */
  private static final int RANDOM_ORDERS = 8;

  private static final String ORDERS =
      " orders of them that were tried; the true one, and what was freed meanwhile, is not in the"
          + " file.";

  public PoolTrials {
    rows = List.copyOf(rows);
  }

  /** What is different about the pool. */
  public enum Question {
    ONE_PIECE("onePiece", "all free memory in one piece"),
    REQUESTED_SIZES("requestedSizes", "chunks as small as their requests, and in one piece"),
    OTHER_SPLIT("otherSplit", "another split rule: chunks cut to their requests where they are"),
    OTHER_START("otherStart", "a pool that starts otherwise"),
    WHOLE_DEVICE("wholeDevice", "the whole device for the pool, without a fraction");

    private final String id;
    private final String label;

    Question(String id, String label) {
      this.id = id;
      this.label = label;
    }

    /** The name in REST responses. */
    public String id() {
      return id;
    }
  }

  /** Whether the request would have been served. */
  public enum Answer {
    FITS("would fit"),
    DOES_NOT_FIT("would not fit"),
    NOT_DECIDABLE("not decidable");

    private final String label;

    Answer(String label) {
      this.label = label;
    }

    /** The text for tables. */
    public String label() {
      return label;
    }

    /** The class of a row: that of an answer yes, no or unknown. */
    public String css() {
      return switch (this) {
        case FITS -> "yes";
        case DOES_NOT_FIT -> "no";
        case NOT_DECIDABLE -> "unknown";
      };
    }
  }

  /**
   * The answer to one question.
   *
   * @param label what is different about this pool: "with ..."
   * @param sentence the answer with its numbers, or why there is none
   */
  public record Row(Question question, String label, Answer answer, String sentence) {
    Row(Question question, Answer answer, String sentence) {
      this(question, question.label, answer, sentence);
    }
  }

  /** The row of a question. */
  public Row row(Question question) {
    return rows.get(question.ordinal());
  }

  /** The answers for a pool. */
  public static PoolTrials of(PoolAtFailure pool) {
    return new PoolTrials(
        Arrays.stream(Question.values()).map(question -> row(question, pool)).toList());
  }

  private static Row row(Question question, PoolAtFailure pool) {
    return switch (question) {
      case ONE_PIECE -> onePiece(pool);
      case REQUESTED_SIZES -> requestedSizes(pool);
      case OTHER_SPLIT -> otherSplit(pool);
      case OTHER_START -> otherStart(pool);
      case WHOLE_DEVICE -> wholeDevice(pool);
    };
  }

  /** The size of the pool: its limit, or what it is if the limit is not known. */
  private static long size(PoolAtFailure pool) {
    return Math.max(pool.limitBytes().orElse(0), pool.poolBytes());
  }

  private static long[] chunkSizes(PoolAtFailure pool) {
    return pool.live().stream().mapToLong(Block::bytes).toArray();
  }

  private static long[] requestedSizes(List<Block> live) {
    return live.stream().mapToLong(Block::requestedBytes).toArray();
  }

  private static boolean servesInOnePiece(long bytes, long[] live, long request) {
    TrialPool trial = TrialPool.ofOnePiece(bytes);
    return trial.serves(live) && trial.serves(request);
  }

  private static Row onePiece(PoolAtFailure pool) {
    return packed(Question.ONE_PIECE, pool, chunkSizes(pool), "the chunks in use as they are");
  }

  private static Row packed(Question question, PoolAtFailure pool, long[] live, String what) {
    long size = size(pool);
    long needed = LongStream.of(live).map(ChunkRules::rounded).sum() + pool.requestBytes();
    if (servesInOnePiece(size, live, pool.requestBytes())) {
      return new Row(
          question,
          Answer.FITS,
          "With " + what + ", one piece of " + ByteText.of(size) + " has room for the request.");
    }
    String numbers =
        capitalized(what)
            + " and the request need "
            + ByteText.of(needed)
            + ", "
            + ByteText.of(needed - size)
            + " more than ";
    return pool.limitBytes().isPresent()
        ? new Row(
            question,
            Answer.DOES_NOT_FIT,
            numbers + "the limit of the pool, " + ByteText.of(size) + ".")
        : new Row(
            question,
            Answer.NOT_DECIDABLE,
            numbers
                + "the pool had, "
                + ByteText.of(size)
                + "; how far it could have grown is not in the file.");
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private static Row requestedSizes(PoolAtFailure pool) {
    if (pool.isEachRequestKnown()) {
      return packed(
          Question.REQUESTED_SIZES,
          pool,
          requestedSizes(pool.live()),
          "only what was requested of each chunk");
    }
    if (!pool.isWasteKnown()) {
      return undecided(
          Question.REQUESTED_SIZES,
          "What was requested of the chunks is not in the file; a MemoryDump of the same moment has"
              + " it.");
    }
    // The sums of the size classes are rounded: the answer has to be the same for all they may be.
    long inUse = LongStream.of(chunkSizes(pool)).sum();
    long requested = inUse - pool.wasteBytes();
    long least = Math.max(0, requested - pool.wasteErrorBytes());
    long most = Math.min(inUse, requested + pool.wasteErrorBytes());
    Row withLeast =
        packed(Question.REQUESTED_SIZES, pool, new long[] {least}, "what was requested in all");
    Row withMost =
        packed(Question.REQUESTED_SIZES, pool, new long[] {most}, "what was requested in all");
    return withLeast.answer() == withMost.answer()
        ? packed(
            Question.REQUESTED_SIZES, pool, new long[] {requested}, "what was requested in all")
        : undecided(
            Question.REQUESTED_SIZES,
            "The log rounds what was requested, and the rounding decides: "
                + ByteText.of(requested)
                + " ± "
                + ByteText.of(pool.wasteErrorBytes())
                + ". A MemoryDump of the same moment has the exact sizes.");
  }

  private static Row otherSplit(PoolAtFailure pool) {
    if (!pool.isEachRequestKnown()) {
      return undecided(
          Question.OTHER_SPLIT,
          "What was requested of each chunk is not in the file; a MemoryDump of the same moment has"
              + " it.");
    }
    boolean isInUnits =
        pool.regions().stream()
            .flatMap(region -> region.blocks().stream())
            .allMatch(chunk -> chunk.bytes() % ChunkRules.UNIT_BYTES == 0);
    if (!isInUnits) {
      return undecided(
          Question.OTHER_SPLIT, "A chunk of the file is no multiple of 256 bytes, as all are.");
    }
    boolean isServed = TrialPool.ofRequestsIn(pool.regions()).serves(pool.requestBytes());
    return new Row(
        Question.OTHER_SPLIT,
        isServed ? Answer.FITS : Answer.DOES_NOT_FIT,
        isServed
            ? "What the chunks in use have beyond their requests would be free beside the free"
                + " chunks, and one piece is large enough."
            : "Even if all that the chunks in use have beyond their requests were free where it is,"
                + " no piece would have "
                + ByteText.of(pool.requestBytes())
                + ".");
  }

  private static Row otherStart(PoolAtFailure pool) {
    boolean isGrowing = pool.isPreallocated();
    String label =
        isGrowing ? "a pool that grows, in regions that double" : "a pool allocated at once";
    Row row = inOrders(pool, isGrowing);
    return new Row(row.question(), label, row.answer(), row.sentence());
  }

  /** The answer in a pool with the rule that all have, after chunks in several orders. */
  private static Row inOrders(PoolAtFailure pool, boolean isGrowing) {
    if (pool.limitBytes().isEmpty()) {
      return undecided(Question.OTHER_START, "The limit of the pool is not in the file.");
    }
    Row packed = requestedSizes(pool);
    if (packed.answer() == Answer.DOES_NOT_FIT) {
      return new Row(Question.OTHER_START, Answer.DOES_NOT_FIT, packed.sentence());
    }
    List<Block> live = pool.live();
    if (live.size() > MAX_ORDERED) {
      return undecided(
          Question.OTHER_START,
          "More than "
              + MAX_ORDERED
              + " chunks are in use, in an order that the file does not have.");
    }
    List<long[]> orders = orders(live, pool.isEachRequestKnown());
    long served =
        orders.stream()
            .filter(
                sizes -> {
                  TrialPool trial = TrialPool.withDefaultRule(size(pool), isGrowing);
                  return trial.serves(sizes) && trial.serves(pool.requestBytes());
                })
            .count();
    if (served == orders.size()) {
      return new Row(
          Question.OTHER_START,
          Answer.FITS,
          "Likely: after the chunks in use, the request is served in each of "
              + orders.size()
              + ORDERS);
    }
    if (!pool.isEachRequestKnown()) {
      return undecided(
          Question.OTHER_START,
          "It depends on what was requested of each chunk, which is not in the file; a MemoryDump"
              + " of the same moment has it.");
    }
    return served == 0
        ? new Row(
            Question.OTHER_START,
            Answer.DOES_NOT_FIT,
            "Likely: after the chunks in use, the request is served in none of "
                + orders.size()
                + ORDERS)
        : undecided(
            Question.OTHER_START,
            "After the chunks in use, the request is served in "
                + served
                + " of "
                + orders.size()
                + ORDERS);
  }

  private static List<long[]> orders(List<Block> live, boolean isRequestKnown) {
    long[] byAddress =
        live.stream()
            .mapToLong(each -> isRequestKnown ? each.requestedBytes() : each.bytes())
            .toArray();
    long[] smallestFirst = byAddress.clone();
    Arrays.sort(smallestFirst);
    List<long[]> orders = new ArrayList<>();
    orders.add(byAddress);
    orders.add(smallestFirst);
    orders.add(reversed(smallestFirst));
    Random random = new Random(1);
    for (int i = 0; i < RANDOM_ORDERS; i++) {
      orders.add(shuffled(byAddress, random));
    }
    return orders;
  }

  private static long[] reversed(long[] sizes) {
    return LongStream.range(0, sizes.length).map(i -> sizes[sizes.length - 1 - (int) i]).toArray();
  }

  private static long[] shuffled(long[] sizes, Random random) {
    long[] shuffled = sizes.clone();
    for (int i = shuffled.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long size = shuffled[i];
      shuffled[i] = shuffled[other];
      shuffled[other] = size;
    }
    return shuffled;
  }

  private static Row wholeDevice(PoolAtFailure pool) {
    long[] live = chunkSizes(pool);
    long needed = LongStream.of(live).sum() + pool.requestBytes();
    OptionalLong device = pool.deviceBytes();
    if (device.isEmpty()) {
      return undecided(
          Question.WHOLE_DEVICE,
          "The size of the device is not in the file. The chunks in use and the request need "
              + ByteText.of(needed)
              + " in one piece.");
    }
    boolean isServed = servesInOnePiece(device.getAsLong(), live, pool.requestBytes());
    return new Row(
        Question.WHOLE_DEVICE,
        isServed ? Answer.FITS : Answer.DOES_NOT_FIT,
        "The chunks in use and the request need "
            + ByteText.of(needed)
            + "; the device has "
            + ByteText.of(device.getAsLong())
            + " for the pool at most.");
  }

  private static Row undecided(Question question, String why) {
    return new Row(question, Answer.NOT_DECIDABLE, why);
  }

  /** Whether a row says that the request would have been served. */
  public boolean isFit(Question question) {
    return row(question).answer() == Answer.FITS;
  }
}
