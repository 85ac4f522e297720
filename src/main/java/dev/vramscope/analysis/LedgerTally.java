package dev.vramscope.analysis;

import dev.vramscope.analysis.Ledger.Amount;
import dev.vramscope.analysis.Ledger.DeviceMemory;
import dev.vramscope.analysis.Ledger.Item;
import dev.vramscope.analysis.Ledger.Placement;
import dev.vramscope.analysis.Ledger.Row;
import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sums the blocks of a state into a ledger's lines. */
final class LedgerTally {
  /** Lines that are shown even when they are 0, so that ledgers can be compared. */
  private static final Set<Item> ALWAYS =
      EnumSet.of(Item.LIVE_REQUESTED, Item.ROUNDING, Item.PENDING_FREE, Item.CACHED_RELEASABLE);

  private static final List<Item> FOR_A_REQUEST =
      List.of(
          Item.STRANDED_USABLE_POOL,
          Item.STRANDED_OTHER_STREAM,
          Item.STRANDED_OTHER_POOL,
          Item.STRANDED_PRIVATE_POOL);

  private static final Map<Item, String> REASONS =
      Map.of(
          Item.OUTSIDE_ALLOCATOR,
          "A snapshot shows only what the allocator holds; the error message may tell",
          Item.OTHER_PROCESSES,
          "A snapshot tells nothing about other processes",
          Item.DEVICE_FREE,
          "Recorded only when a request fails");

  private final SizeRules sizes;
  private final @Nullable Placement placement;
  private final Map<Item, Long> bytes = new EnumMap<>(Item.class);

  private LedgerTally(SizeRules sizes, @Nullable Placement placement) {
    this.sizes = sizes;
    this.placement = placement;
    ALWAYS.forEach(item -> add(item, 0));
    if (placement == null) {
      add(Item.STRANDED, 0);
    } else {
      FOR_A_REQUEST.forEach(item -> add(item, 0));
    }
  }

  static LedgerTally of(AllocatorState state, SizeRules sizes, @Nullable Placement placement) {
    LedgerTally tally = new LedgerTally(sizes, placement);
    state.segments().forEach(tally::add);
    return tally;
  }

  private void add(Item item, long amount) {
    bytes.merge(item, amount, Long::sum);
  }

  private void add(Segment segment) {
    boolean isWhollyFree = !segment.hasActiveBlock();
    for (Block block : segment.blocks()) {
      switch (block.state()) {
        case ALLOCATED -> addLive(block);
        case PENDING_FREE -> add(Item.PENDING_FREE, block.bytes());
        case INACTIVE -> addCached(segment, block, isWhollyFree);
      }
    }
  }

  private void addLive(Block block) {
    if (block.requestedBytes() == Block.UNKNOWN) {
      add(Item.LIVE_UNSPLIT, block.bytes());
    } else {
      add(Item.LIVE_REQUESTED, block.requestedBytes());
      add(Item.ROUNDING, block.bytes() - block.requestedBytes());
    }
  }

  private void addCached(Segment segment, Block block, boolean isWhollyFree) {
    long releasable = releasableBytes(segment, block, isWhollyFree);
    add(segment.pool().isPrivate() ? Item.CACHED_PRIVATE_POOL : Item.CACHED_RELEASABLE, releasable);
    add(stranded(segment), block.bytes() - releasable);
  }

  private long releasableBytes(Segment segment, Block block, boolean isWhollyFree) {
    if (!segment.expandable()) {
      return isWhollyFree ? block.bytes() : 0;
    }
    long page = sizes.pageBytes(segment.kind());
    long from = Math.ceilDiv(block.address() - segment.address(), page) * page;
    long to = (block.end() - segment.address()) / page * page;
    return Math.max(0, to - from);
  }

  private Item stranded(Segment segment) {
    if (placement == null) {
      return Item.STRANDED;
    }
    if (!segment.pool().equals(placement.pool())) {
      return segment.pool().isPrivate() ? Item.STRANDED_PRIVATE_POOL : Item.STRANDED_OTHER_POOL;
    }
    if (segment.kind() != placement.kind()) {
      return Item.STRANDED_OTHER_POOL;
    }
    return segment.stream() == placement.stream()
        ? Item.STRANDED_USABLE_POOL
        : Item.STRANDED_OTHER_STREAM;
  }

  Ledger ledger(DeviceMemory around) {
    List<Row> rows = new ArrayList<>();
    long reserved = 0;
    for (Map.Entry<Item, Long> line : bytes.entrySet()) {
      Item item = line.getKey();
      if (line.getValue() != 0 || ALWAYS.contains(item) || isStranded(item)) {
        rows.add(new Row(item, new Amount.Known(line.getValue())));
      }
      reserved += line.getValue();
    }
    Map<Item, OptionalLong> outside = new EnumMap<>(Item.class);
    outside.put(Item.OUTSIDE_ALLOCATOR, around.outsideBytes());
    outside.put(Item.OTHER_PROCESSES, around.otherProcessesBytes());
    outside.put(Item.DEVICE_FREE, around.freeBytes());
    long known = reserved;
    int unknownCount = 0;
    for (OptionalLong line : outside.values()) {
      known += line.orElse(0);
      unknownCount += line.isEmpty() ? 1 : 0;
    }
    Amount total =
        amount(around.totalBytes(), "The size of the card is not in a snapshot; give it below");
    Amount remainder = remainder(around.totalBytes(), known);
    for (Map.Entry<Item, OptionalLong> line : outside.entrySet()) {
      Amount amount = amount(line.getValue(), REASONS.getOrDefault(line.getKey(), ""));
      boolean isTheOnlyUnknown = unknownCount == 1 && line.getValue().isEmpty();
      if (isTheOnlyUnknown && remainder instanceof Amount.Known) {
        amount = remainder;
        remainder = new Amount.Known(0);
      }
      rows.add(new Row(line.getKey(), amount));
    }
    return new Ledger(rows, reserved, total, remainder);
  }

  private static Amount remainder(OptionalLong total, long known) {
    if (total.isEmpty()) {
      return new Amount.Unknown("Without the size of the card");
    }
    long remainder = total.getAsLong() - known;
    return remainder < 0
        ? new Amount.Unknown("The known rows add up to more than the card has")
        : new Amount.Known(remainder);
  }

  private static boolean isStranded(Item item) {
    return item == Item.STRANDED || FOR_A_REQUEST.contains(item);
  }

  private static Amount amount(OptionalLong known, String reason) {
    return known.isPresent() ? new Amount.Known(known.getAsLong()) : new Amount.Unknown(reason);
  }
}
