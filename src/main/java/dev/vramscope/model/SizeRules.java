package dev.vramscope.model;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's size arithmetic: from a request to its block, its pool and its segment.
 *
 * <p>A block is a multiple of 512 bytes or, with {@code roundup_power2_divisions}, the next of that
 * many equal steps between two powers of two. Up to 1 MiB it comes from a small segment of 2 MiB;
 * below 10 MiB from a large one of 20 MiB; above, from one of its own, a multiple of 2 MiB.
 * Expandable segments grow by pages of 2 MiB (small) or 20 MiB (large).
 *
 * <p>Sizes are unsigned 64-bit numbers, as in PyTorch, and rounding saturates. {@link #clamped}
 * makes one safe for signed arithmetic. Immutable.
 */
public final class SizeRules {
  /** 2^64 - 1, as {@code max_split_size}: every block may be split. */
  public static final long UNLIMITED = -1;

  /** The smallest block; every size and every offset in a segment is a multiple of it. */
  public static final long MIN_BLOCK_BYTES = 512;

  public static final long DEFAULT_LARGE_SEGMENT_BYTES = 20L << 20;

  /** Requests below 2 MiB, below 4 MiB, ... and of 32 GiB and more each have their own rounding. */
  public static final int ROUNDING_INTERVALS = 16;

  private static final long MIB = 1L << 20;
  private static final int LOG2_MIN_BLOCK = 9;
  private static final int LOG2_MIB = 20;

  /** Blocks up to this size come from the small pool. */
  public static final long MAX_SMALL_BLOCK_BYTES = MIB;

  /** Segments, and pages, of the small pool. */
  private static final long SMALL_SEGMENT_BYTES = 2 * MIB;

  /** Blocks from this size on get a segment of their own size. */
  private static final long MIN_OWN_SEGMENT_BYTES = 10 * MIB;

  private static final long OWN_SEGMENT_STEP_BYTES = 2 * MIB;

  /** More than any block or device has; sums with it stay below 2^63. */
  private static final long MAX_CLAMPED_BYTES = 1L << 62;

  private static final Pattern LARGE_SEGMENT_SETTING =
      Pattern.compile("large_segment_size_mb\\s*:\\s*(\\d{1,6})");

  private static final Pattern NON_SPLIT_ROUNDING_SETTING =
      Pattern.compile("max_non_split_rounding_mb\\s*:\\s*(\\d{1,6})");

  /** The allocator's defaults. */
  public static final SizeRules DEFAULT =
      new SizeRules(
          new long[ROUNDING_INTERVALS],
          DEFAULT_LARGE_SEGMENT_BYTES,
          UNLIMITED,
          /* expandable= */ false);

  private final long[] divisions;
  private final long largeSegmentBytes;
  private final long maxSplitBytes;
  private final long maxNonSplitRoundingBytes;
  private final boolean expandable;

  /**
   * The rules under these settings; {@code max_non_split_rounding_mb} has its default, the size of
   * a large segment.
   */
  public SizeRules(
      long[] divisions, long largeSegmentBytes, long maxSplitBytes, boolean expandable) {
    this(divisions, largeSegmentBytes, maxSplitBytes, largeSegmentBytes, expandable);
  }

  /**
   * The rules under these settings.
   *
   * @param divisions {@code roundup_power2_divisions} of each of the {@link #ROUNDING_INTERVALS}; 0
   *     is off
   * @param maxSplitBytes unsigned
   * @param maxNonSplitRoundingBytes unsigned; an oversize block exceeds its request by less
   * @param expandable whether new segments are expandable
   */
  public SizeRules(
      long[] divisions,
      long largeSegmentBytes,
      long maxSplitBytes,
      long maxNonSplitRoundingBytes,
      boolean expandable) {
    this.divisions = divisions.clone();
    this.largeSegmentBytes = largeSegmentBytes;
    this.maxSplitBytes = maxSplitBytes;
    this.maxNonSplitRoundingBytes = maxNonSplitRoundingBytes;
    this.expandable = expandable;
  }

  /** The rules under the recorded settings; {@link #DEFAULT} if none were recorded. */
  public static SizeRules of(Optional<AllocatorSettings> settings) {
    return settings.map(SizeRules::recorded).orElse(DEFAULT);
  }

  private static SizeRules recorded(AllocatorSettings settings) {
    long[] divisions = new long[ROUNDING_INTERVALS];
    for (int i = 0; i < divisions.length; i++) {
      divisions[i] = number(settings.values().get("roundup_power2_divisions." + (1 << i)));
    }
    long largeSegmentBytes =
        mebibytes(settings, LARGE_SEGMENT_SETTING, MIN_OWN_SEGMENT_BYTES + MIB)
            .orElse(DEFAULT_LARGE_SEGMENT_BYTES);
    return new SizeRules(
        divisions,
        largeSegmentBytes,
        settings.maxSplitBytes().orElse(UNLIMITED),
        mebibytes(settings, NON_SPLIT_ROUNDING_SETTING, largeSegmentBytes)
            .orElse(largeSegmentBytes),
        settings.expandableSegments().orElse(false));
  }

  /** A size in the configuration; PyTorch rejects one that is less than {@code leastBytes}. */
  private static Optional<Long> mebibytes(
      AllocatorSettings settings, Pattern setting, long leastBytes) {
    return settings
        .configuration()
        .map(setting::matcher)
        .filter(Matcher::find)
        .map(matcher -> Long.parseLong(matcher.group(1)) * MIB)
        .filter(bytes -> bytes >= leastBytes);
  }

  private static long number(@Nullable String text) {
    return text != null && text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
  }

  /** Whether settings were recorded; otherwise these are the allocator's defaults. */
  public boolean isRecorded() {
    return this != DEFAULT;
  }

  /** Whether new segments grow by mapping pages. */
  public boolean isExpandable() {
    return expandable;
  }

  /** The size from which blocks are never split; empty when unlimited. */
  public OptionalLong maxSplitBytes() {
    return maxSplitBytes < 0 ? OptionalLong.empty() : OptionalLong.of(maxSplitBytes);
  }

  /** Whether blocks of this size are oversize: never split, and kept for oversize requests. */
  public boolean isOversize(long blockBytes) {
    return Long.compareUnsigned(blockBytes, maxSplitBytes) >= 0;
  }

  /**
   * Whether a block that is large enough may serve a request under {@code max_split_size}: oversize
   * blocks serve oversize requests only, and those only if they fit closely.
   *
   * @param blockBytes at least {@code bytes}
   * @param bytes the rounded request
   */
  public boolean mayServe(long blockBytes, long bytes) {
    return isOversize(bytes)
        ? Long.compareUnsigned(blockBytes - bytes, maxNonSplitRoundingBytes) < 0
        : !isOversize(blockBytes);
  }

  /** The bytes by which an oversize block exceeds every request that it serves, at most. */
  public long maxNonSplitRoundingBytes() {
    return maxNonSplitRoundingBytes;
  }

  /** The size of the smallest block that serves a request. */
  public long roundedBytes(long requestedBytes) {
    if (Long.compareUnsigned(requestedBytes, MIN_BLOCK_BYTES) < 0) {
      return MIN_BLOCK_BYTES;
    }
    int log2 = log2(requestedBytes);
    long steps = divisions[Math.clamp(log2 - LOG2_MIB, 0, ROUNDING_INTERVALS - 1)];
    if (Long.compareUnsigned(steps, 1) > 0
        && Long.compareUnsigned(steps, requestedBytes >>> LOG2_MIN_BLOCK) <= 0
        && requestedBytes != steps * MIN_BLOCK_BYTES) {
      // The step is never 0, because the request is at least 512 * steps.
      return roundUp(requestedBytes, (1L << log2) >>> log2(steps));
    }
    return roundUp(requestedBytes, MIN_BLOCK_BYTES);
  }

  private static int log2(long unsigned) {
    return 63 - Long.numberOfLeadingZeros(unsigned);
  }

  /** Whether the small pool serves blocks of this size. */
  public static boolean isSmall(long blockBytes) {
    return Long.compareUnsigned(blockBytes, MAX_SMALL_BLOCK_BYTES) <= 0;
  }

  /** The pool that serves blocks of this size. */
  public PoolKind kind(long blockBytes) {
    return isSmall(blockBytes) ? PoolKind.SMALL : PoolKind.LARGE;
  }

  /**
   * The size of a new segment for a block, if segments are not expandable. PyTorch checks its
   * limits against this size and names it in the out-of-memory message for expandable segments too.
   */
  public long segmentBytes(long blockBytes) {
    if (isSmall(blockBytes)) {
      return SMALL_SEGMENT_BYTES;
    }
    if (Long.compareUnsigned(blockBytes, MIN_OWN_SEGMENT_BYTES) < 0) {
      return largeSegmentBytes;
    }
    return roundUp(blockBytes, OWN_SEGMENT_STEP_BYTES);
  }

  /**
   * The most memory acquired from the driver when no free block serves a block of this size: a
   * segment, or the pages of an expandable segment that cover the block. A free tail of the
   * expandable segment reduces it.
   */
  public long acquiredBytes(long blockBytes) {
    if (!expandable) {
      return segmentBytes(blockBytes);
    }
    long page = pageBytes(kind(blockBytes));
    return Math.ceilDiv(clamped(blockBytes), page) * page;
  }

  /**
   * The bytes of a free block that emptying the cache would release: all if it is the whole
   * segment, or the whole pages inside it if the segment is expandable.
   */
  public long releasableBytes(Segment segment, Block block) {
    if (!segment.expandable()) {
      return segment.hasActiveBlock() ? 0 : block.bytes();
    }
    long page = pageBytes(segment.kind());
    long from = Math.ceilDiv(block.address() - segment.address(), page) * page;
    long to = (block.end() - segment.address()) / page * page;
    return Math.max(0, to - from);
  }

  /** The page that expandable segments of a pool grow and shrink by. */
  public long pageBytes(PoolKind kind) {
    return kind == PoolKind.SMALL ? SMALL_SEGMENT_BYTES : largeSegmentBytes;
  }

  /**
   * The pool of a segment, derived from its size: every large segment is larger than a small one.
   */
  public PoolKind kindOfSegment(long segmentBytes) {
    return segmentBytes <= SMALL_SEGMENT_BYTES ? PoolKind.SMALL : PoolKind.LARGE;
  }

  /**
   * The most bytes by which a free block may exceed the block it serves without being split: none
   * in small and in expandable segments; in large ones 1 MiB, or any number if the block is
   * oversize.
   */
  public long maxUnsplitRemainder(PoolKind kind, boolean inExpandable, long blockBytes) {
    if (kind == PoolKind.SMALL || inExpandable) {
      return 0;
    }
    return isOversize(blockBytes) ? Long.MAX_VALUE : MAX_SMALL_BLOCK_BYTES;
  }

  /** The same size, but at most 2^62, which is more than any block or device has. */
  public static long clamped(long bytes) {
    return bytes >= 0 ? Math.min(bytes, MAX_CLAMPED_BYTES) : MAX_CLAMPED_BYTES;
  }

  /**
   * Rounds up to a multiple of a power of two. Saturates; PyTorch wraps around to 0 here, and would
   * then serve the request with an empty block.
   */
  private static long roundUp(long bytes, long step) {
    long rounded = (bytes + step - 1) & -step;
    return rounded == 0 ? -step : rounded;
  }
}
