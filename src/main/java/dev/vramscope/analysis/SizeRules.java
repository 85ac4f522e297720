package dev.vramscope.analysis;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.PoolKind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's size arithmetic: from a request to its block, its pool and its segment.
 *
 * <p>A block is a multiple of 512 bytes, or with {@code roundup_power2_divisions} the next of that
 * many equal steps between two powers of two. Up to 1 MiB it comes from a small segment of 2 MiB;
 * below 10 MiB from a large one of 20 MiB; above, from one of its own, a multiple of 2 MiB.
 * Expandable segments grow by pages of 2 MiB (small) or 20 MiB (large).
 */
public final class SizeRules {
  static final long MIB = 1L << 20;
  private static final long STEP = 512;
  private static final long SMALL_REQUEST = MIB;
  private static final long SMALL_SEGMENT = 2 * MIB;
  private static final long OWN_SEGMENT = 10 * MIB;
  private static final long LARGE_SEGMENT = 20 * MIB;

  /** Requests from here on are refused by the allocator itself; no arithmetic is done on them. */
  private static final long ABSURD = 1L << 60;

  private static final Pattern LARGE_SEGMENT_SETTING =
      Pattern.compile("large_segment_size_mb\\s*:\\s*(\\d{1,6})");

  /** The allocator's defaults. */
  public static final SizeRules DEFAULT = of(Optional.empty());

  private final long[] divisions;
  private final long largeSegment;
  private final boolean expandable;
  private final OptionalLong maxSplit;
  private final boolean recorded;

  private SizeRules(
      long[] divisions,
      long largeSegment,
      boolean expandable,
      OptionalLong maxSplit,
      boolean recorded) {
    this.divisions = divisions;
    this.largeSegment = largeSegment;
    this.expandable = expandable;
    this.maxSplit = maxSplit;
    this.recorded = recorded;
  }

  /** The rules under the recorded settings; the allocator's defaults where none were recorded. */
  public static SizeRules of(Optional<AllocatorSettings> settings) {
    long[] divisions = new long[16];
    for (int i = 0; i < divisions.length; i++) {
      String key = "roundup_power2_divisions." + (1 << i);
      divisions[i] = settings.map(known -> number(known.values().get(key))).orElse(0L);
    }
    long largeSegment =
        settings
            .flatMap(AllocatorSettings::configuration)
            .map(LARGE_SEGMENT_SETTING::matcher)
            .filter(Matcher::find)
            .map(found -> Long.parseLong(found.group(1)) * MIB)
            .filter(bytes -> bytes > OWN_SEGMENT)
            .orElse(LARGE_SEGMENT);
    OptionalLong maxSplit =
        settings
            .flatMap(AllocatorSettings::maxSplitBytes)
            .map(OptionalLong::of)
            .orElseGet(OptionalLong::empty);
    return new SizeRules(
        divisions,
        largeSegment,
        settings.flatMap(AllocatorSettings::expandableSegments).orElse(false),
        maxSplit,
        settings.isPresent());
  }

  private static long number(@Nullable String text) {
    return text != null && text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
  }

  /** Whether settings were recorded; else these are the allocator's defaults. */
  public boolean isRecorded() {
    return recorded;
  }

  /** Whether new segments grow by mapping pages. */
  public boolean isExpandable() {
    return expandable;
  }

  /** The size from which blocks are never split; empty when unlimited. */
  public OptionalLong maxSplitBytes() {
    return maxSplit;
  }

  /** Bytes of the smallest block that serves a request. */
  public long roundedBytes(long requestedBytes) {
    if (requestedBytes < STEP) {
      return STEP;
    }
    if (requestedBytes >= ABSURD) {
      return requestedBytes;
    }
    int log = 63 - Long.numberOfLeadingZeros(requestedBytes);
    long steps = divisions[Math.clamp(log - 20, 0, divisions.length - 1)];
    if (steps > 1 && requestedBytes > STEP * steps) {
      return nextOfEqualSteps(requestedBytes, log, steps);
    }
    return roundUp(requestedBytes, STEP);
  }

  private static long nextOfEqualSteps(long bytes, int log, long steps) {
    if (Long.bitCount(bytes) == 1) {
      return bytes;
    }
    long step = (1L << log) >> (63 - Long.numberOfLeadingZeros(steps));
    return step == 0 ? 1L << (log + 1) : roundUp(bytes, step);
  }

  /** The size class that a rounded request is served from. */
  public PoolKind kind(long roundedBytes) {
    return roundedBytes <= SMALL_REQUEST ? PoolKind.SMALL : PoolKind.LARGE;
  }

  /** Bytes that are asked of the driver when no block serves a rounded request. */
  public long segmentBytes(long roundedBytes) {
    if (roundedBytes >= ABSURD) {
      return roundedBytes;
    }
    if (expandable) {
      return roundUp(roundedBytes, pageBytes(kind(roundedBytes)));
    }
    if (roundedBytes <= SMALL_REQUEST) {
      return SMALL_SEGMENT;
    }
    return roundedBytes < OWN_SEGMENT ? largeSegment : roundUp(roundedBytes, SMALL_SEGMENT);
  }

  /** The page that expandable segments of a size class grow and shrink by. */
  public long pageBytes(PoolKind kind) {
    return kind == PoolKind.SMALL ? SMALL_SEGMENT : largeSegment;
  }

  /** The size class of a segment, told from its size: no large one is as small as a small one. */
  PoolKind kindOfSegment(long segmentBytes) {
    return segmentBytes <= SMALL_SEGMENT ? PoolKind.SMALL : PoolKind.LARGE;
  }

  /**
   * The most bytes that an unsplit block of a non-expandable segment may have above its rounded
   * request: less than a step in small segments; in large ones 1 MiB, or all there is for a block
   * that is never split.
   */
  long unsplitTail(PoolKind kind, long roundedBytes) {
    if (kind == PoolKind.SMALL) {
      return 0;
    }
    boolean neverSplit = maxSplit.isPresent() && roundedBytes >= maxSplit.getAsLong();
    return neverSplit ? Long.MAX_VALUE : SMALL_REQUEST;
  }

  static long roundUp(long bytes, long step) {
    return (bytes + step - 1) / step * step;
  }
}
