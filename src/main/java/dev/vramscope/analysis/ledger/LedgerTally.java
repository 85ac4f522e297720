package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.ledger.Ledger.LiveMemory;
import dev.vramscope.analysis.ledger.Ledger.Placement;
import dev.vramscope.analysis.ledger.Ledger.Row;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.Block;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sums the blocks of a state into the rows of a ledger. */
final class LedgerTally {
  /** Rows that are shown even if they are 0, so that ledgers can be compared. */
  private static final Set<Item> ALWAYS =
      EnumSet.of(Item.LIVE_REQUESTED, Item.ROUNDING, Item.PENDING_FREE, Item.CACHED_RELEASABLE);

  static final String RESERVED_UNKNOWN = "The file does not say what the allocator held";

  static final String PARTS_UNKNOWN =
      "The file has the sum that the allocator held, and not its parts";

  private static final List<Item> SPLIT_BY_REQUEST =
      List.of(
          Item.UNRELEASABLE_USABLE_POOL,
          Item.UNRELEASABLE_OTHER_STREAM,
          Item.UNRELEASABLE_OTHER_POOL,
          Item.UNRELEASABLE_PRIVATE_POOL);

  private final SizeRules sizes;
  private final @Nullable Placement placement;
  private final Map<Item, Long> bytes = new EnumMap<>(Item.class);
  private boolean isReservedKnown = true;

  private LedgerTally(SizeRules sizes, @Nullable Placement placement) {
    this.sizes = sizes;
    this.placement = placement;
    ALWAYS.forEach(item -> add(item, 0));
    if (placement == null) {
      add(Item.UNRELEASABLE, 0);
    } else {
      SPLIT_BY_REQUEST.forEach(item -> add(item, 0));
    }
  }

  static LedgerTally of(AllocatorState state, SizeRules sizes, @Nullable Placement placement) {
    LedgerTally tally = new LedgerTally(sizes, placement);
    state.segments().forEach(tally::add);
    return tally;
  }

  /** Live bytes alone: a file of requests and frees, or of live buffers, has no more. */
  static LedgerTally ofRequests(LiveMemory live) {
    LedgerTally tally = new LedgerTally(SizeRules.DEFAULT, null);
    tally.bytes.clear();
    tally.bytes.put(Item.LIVE_REQUESTED, live.bytes() - live.unnamedBytes());
    if (live.unnamedBytes() > 0) {
      tally.bytes.put(Item.LIVE_EARLIER, live.unnamedBytes());
    }
    // A total below what is live would contradict the events.
    tally.isReservedKnown = live.reservedBytes() >= live.bytes();
    if (tally.isReservedKnown) {
      tally.bytes.put(Item.UNRECORDED, live.reservedBytes() - live.bytes());
    }
    return tally;
  }

  private void add(Item item, long amount) {
    bytes.merge(item, amount, Long::sum);
  }

  private void add(Segment segment) {
    for (Block block : segment.blocks()) {
      switch (block.state()) {
        case ALLOCATED -> addLive(block);
        case PENDING_FREE -> add(Item.PENDING_FREE, block.bytes());
        case INACTIVE -> addCached(segment, block);
      }
    }
  }

  private void addLive(Block block) {
    if (block.requestedBytes() == Block.UNKNOWN) {
      add(Item.LIVE_REQUEST_UNKNOWN, block.bytes());
    } else {
      add(Item.LIVE_REQUESTED, block.requestedBytes());
      add(Item.ROUNDING, block.bytes() - block.requestedBytes());
    }
  }

  private void addCached(Segment segment, Block block) {
    long releasable = sizes.releasableBytes(segment, block);
    add(segment.pool().isPrivate() ? Item.CACHED_PRIVATE_POOL : Item.CACHED_RELEASABLE, releasable);
    add(unreleasable(segment), block.bytes() - releasable);
  }

  private Item unreleasable(Segment segment) {
    if (placement == null) {
      return Item.UNRELEASABLE;
    }
    if (!segment.pool().equals(placement.pool())) {
      return segment.pool().isPrivate()
          ? Item.UNRELEASABLE_PRIVATE_POOL
          : Item.UNRELEASABLE_OTHER_POOL;
    }
    if (segment.kind() != placement.kind()) {
      return Item.UNRELEASABLE_OTHER_POOL;
    }
    return segment.stream() == placement.stream()
        ? Item.UNRELEASABLE_USABLE_POOL
        : Item.UNRELEASABLE_OTHER_STREAM;
  }

  Ledger ledger(DeviceMemory deviceMemory) {
    List<Row> rows = new ArrayList<>();
    long reserved = 0;
    for (Map.Entry<Item, Long> entry : bytes.entrySet()) {
      Item item = entry.getKey();
      if (entry.getValue() != 0 || ALWAYS.contains(item) || isUnreleasable(item)) {
        rows.add(new Row(item, new Amount.Known(entry.getValue())));
      }
      reserved += entry.getValue();
    }
    Map<Item, Amount> outside = new EnumMap<>(Item.class);
    if (!isReservedKnown) {
      outside.put(Item.UNRECORDED, new Amount.Unknown(RESERVED_UNKNOWN));
    }
    outside.put(Item.OUTSIDE_ALLOCATOR, deviceMemory.outside());
    outside.put(Item.OTHER_PROCESSES, deviceMemory.otherProcesses());
    outside.put(Item.DEVICE_FREE, deviceMemory.free());
    long knownBytes = reserved;
    int unknownCount = 0;
    for (Amount amount : outside.values()) {
      knownBytes += amount instanceof Amount.Known(long bytes) ? bytes : 0;
      unknownCount += amount instanceof Amount.Known ? 0 : 1;
    }
    Amount remainder = remainder(deviceMemory.total(), knownBytes);
    for (Map.Entry<Item, Amount> entry : outside.entrySet()) {
      Amount amount = entry.getValue();
      boolean isTheOnlyUnknown = unknownCount == 1 && !(amount instanceof Amount.Known);
      if (isTheOnlyUnknown && remainder instanceof Amount.Known) {
        amount = remainder;
        remainder = new Amount.Known(0);
      }
      String source =
          switch (entry.getKey()) {
            case DEVICE_FREE -> deviceMemory.freeSource();
            case OUTSIDE_ALLOCATOR -> deviceMemory.outsideSource();
            case OTHER_PROCESSES -> deviceMemory.othersSource();
            default -> "";
          };
      rows.add(new Row(entry.getKey(), amount, source));
    }
    return new Ledger(
        rows,
        reserved,
        total(deviceMemory.total(), knownBytes),
        remainder,
        deviceMemory.totalSource(),
        deviceMemory.doubt().isSizeEstimated());
  }

  /** The total, or a lower bound that is not below the sum of the known rows. */
  private static Amount total(Amount total, long knownBytes) {
    return total instanceof Amount.AtLeast(long bytes, String reason)
        ? new Amount.AtLeast(Math.max(bytes, knownBytes), reason)
        : total;
  }

  private static Amount remainder(Amount total, long knownBytes) {
    if (!(total instanceof Amount.Known(long bytes))) {
      return new Amount.Unknown("The size of the device is unknown");
    }
    return bytes < knownBytes
        ? new Amount.Unknown("The known rows add up to more than the size of the device")
        : new Amount.Known(bytes - knownBytes);
  }

  private static boolean isUnreleasable(Item item) {
    return item == Item.UNRELEASABLE || SPLIT_BY_REQUEST.contains(item);
  }
}
