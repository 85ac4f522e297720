package dev.vramscope.live.lab;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains a step by the allocator's events and its state before and after. {@link CachingReasons}
 * and {@link BfcReasons} explain requests.
 */
abstract class Reasons {
  /** The most completed frees that a step names. */
  private static final int MAX_COMPLETIONS = 10;

  final LabAllocator side;
  final List<SegmentView> before;
  final List<SegmentView> after;
  final Applied applied;
  private final List<Reason> reasons = new ArrayList<>();
  private @Nullable FreeBlocks searched;

  Reasons(LabAllocator side, List<SegmentView> before, Applied applied, List<SegmentView> after) {
    this.side = side;
    this.before = before;
    this.applied = applied;
    this.after = after;
  }

  /** What a request did. */
  abstract void allocated(Operation.Allocate request);

  /** The search of a request. */
  abstract Search search(Operation.Allocate request);

  /** What the allocator calls its blocks: block or chunk. */
  abstract String block();

  /** What the allocator calls its segments: segment or region. */
  abstract String segment();

  /** The frees that completed because the allocator waited for them, to release its cache. */
  final List<Long> completedLater() {
    return applied.completed().subList(applied.completedFirst().size(), applied.completed().size());
  }

  /** The free blocks that a request found. */
  final FreeBlocks searched() {
    FreeBlocks blocks = searched;
    if (blocks == null) {
      blocks = new FreeBlocks(CompletedFrees.of(before, applied.completedFirst()));
      searched = blocks;
    }
    return blocks;
  }

  /** The free block that served the request without a call of the driver. */
  final Optional<FreeBlocks.Free> chosenBlock() {
    return applied.isFailed() || !applied.attempts().isEmpty()
        ? Optional.empty()
        : searched().at(applied.address());
  }

  final List<Reason> of(Operation operation) {
    if (!applied.message().isEmpty() && !applied.isFailed()) {
      add(Reason.Kind.NOTE, applied.message());
      return reasons;
    }
    completions(applied.completedFirst());
    switch (operation) {
      case Operation.Allocate request -> allocated(request);
      case Operation.Free free -> freed(free);
      case Operation.RecordStream record -> recorded(record);
      case Operation.Launch launch ->
          add(
              Reason.Kind.STREAM,
              "A kernel on stream " + launch.stream() + " now uses block " + launch.id() + ".");
      case Operation.Finish finish ->
          add(
              Reason.Kind.STREAM,
              "The oldest kernel of stream "
                  + finish.stream()
                  + " is finished; the events behind it are complete. The allocator looks at"
                  + " events when it serves the next request.");
      case Operation.Synchronize sync ->
          add(Reason.Kind.STREAM, "All kernels of stream " + sync.stream() + " are finished.");
      case Operation.SynchronizeAll _ ->
          add(Reason.Kind.STREAM, "All kernels of all streams are finished.");
      case Operation.EmptyCache _ -> emptied();
      case Operation.External external ->
          add(
              Reason.Kind.NOTE,
              "Other programs now hold "
                  + ByteText.of(external.bytes())
                  + " of the device. The allocator learns of it when the driver refuses a call.");
      case Operation.SetFraction fraction ->
          add(
              Reason.Kind.NOTE,
              "The allocator may now hold "
                  + percent(fraction.fraction())
                  + " of the device, "
                  + ByteText.of((long) (fraction.fraction() * side.setup().deviceBytes()))
                  + ".");
      case Operation.Label label -> add(Reason.Kind.NOTE, label.label());
    }
    return reasons;
  }

  final void add(Reason.Kind kind, String text) {
    reasons.add(new Reason(kind, text));
  }

  /** Freed blocks that waited for a stream and are free now. */
  final void completions(List<Long> completed) {
    completed.stream()
        .distinct()
        .filter(address -> stateAt(before, address) == BlockState.PENDING_FREE)
        .filter(address -> stateAt(after, address) != BlockState.PENDING_FREE)
        .limit(MAX_COMPLETIONS)
        .forEach(
            address ->
                add(
                    Reason.Kind.STREAM,
                    "The event that block "
                        + (address == applied.address() ? applied.previousId() : side.idAt(address))
                        + " waited for is complete: its memory can be used again."));
  }

  private static BlockState stateAt(List<SegmentView> segments, long address) {
    return blockAt(segments, address).map(BlockView::state).orElse(BlockState.INACTIVE);
  }

  private void freed(Operation.Free free) {
    BlockView block = blockAt(before, applied.address()).orElseThrow();
    Optional<BlockView> now = blockAt(after, applied.address());
    if (now.isPresent() && now.get().state() == BlockState.PENDING_FREE) {
      add(
          Reason.Kind.STREAM,
          "Block "
              + free.id()
              + " ("
              + ByteText.of(block.bytes())
              + ") is freed, but stream "
              + joined(now.get().awaited())
              + " may still use it. An event is recorded there, and no stream gets the memory"
              + " before it is complete, not even stream "
              + block.stream()
              + " itself.");
      return;
    }
    add(
        Reason.Kind.NOTE,
        "Block " + free.id() + " (" + ByteText.of(block.bytes()) + ") is freed. " + freedMemory());
    driver();
    now.ifPresent(joined -> coalesced(block, joined));
  }

  /** Where the memory of a freed block goes. */
  String freedMemory() {
    return "The memory stays with the allocator; the driver is not called.";
  }

  private void coalesced(BlockView block, BlockView now) {
    long front = block.address() - now.address();
    long back = now.endAddress() - block.endAddress();
    if (front == 0 && back == 0) {
      add(Reason.Kind.COALESCED, "No neighbour is free: nothing to coalesce.");
      return;
    }
    String neighbours =
        front == 0
            ? ByteText.of(back) + " after it"
            : back == 0
                ? ByteText.of(front) + " before it"
                : ByteText.of(front) + " before and " + ByteText.of(back) + " after it";
    add(
        Reason.Kind.COALESCED,
        "Coalesced with the free "
            + neighbours
            + ": one free "
            + block()
            + " of "
            + ByteText.of(now.bytes())
            + ". Neighbours join only inside their "
            + segment()
            + ".");
  }

  private void recorded(Operation.RecordStream record) {
    boolean isOwn = blockAt(after, applied.address()).orElseThrow().stream() == record.stream();
    add(
        Reason.Kind.STREAM,
        isOwn
            ? "Block "
                + record.id()
                + " belongs to stream "
                + record.stream()
                + " anyway: nothing to remember."
            : "The allocator remembers that stream "
                + record.stream()
                + " uses block "
                + record.id()
                + ". When the block is freed, it waits for what runs there by then.");
  }

  private void emptied() {
    driver();
    long keptBytes =
        new FreeBlocks(after).all().stream().mapToLong(free -> free.block().bytes()).sum();
    if (applied.driver().isEmpty()) {
      add(Reason.Kind.NOTE, "No segment is completely free, so nothing is released.");
    }
    if (keptBytes > 0) {
      add(
          Reason.Kind.NOTE,
          ByteText.of(keptBytes)
              + " of free memory stays: it shares a segment with a block in use.");
    }
  }

  /** The calls of the driver that succeeded. */
  final void driver() {
    for (StepEvents.DriverEvent call : applied.driver()) {
      add(
          Reason.Kind.DRIVER,
          String.format(verb(call.action()), segment(), ByteText.of(call.bytes())));
    }
  }

  private static String verb(TraceAction action) {
    return switch (action) {
      case SEGMENT_ALLOC -> "The driver provides a new %s of %s.";
      case SEGMENT_FREE -> "The driver gets back a %s of %s.";
      case SEGMENT_MAP -> "The driver maps pages into the %s, %s.";
      case SEGMENT_UNMAP -> "The driver unmaps pages of the %s, %s.";
      default -> throw new IllegalArgumentException(action + " calls no driver");
    };
  }

  static Optional<BlockView> blockAt(List<SegmentView> segments, long address) {
    for (SegmentView segment : segments) {
      if (segment.address() <= address && address < segment.address() + segment.bytes()) {
        return segment.blocks().stream()
            .filter(block -> block.address() <= address && address < block.endAddress())
            .findFirst();
      }
    }
    return Optional.empty();
  }

  static Optional<SegmentView> segmentAt(List<SegmentView> segments, long address) {
    return segments.stream()
        .filter(
            segment ->
                segment.address() <= address && address < segment.address() + segment.bytes())
        .findFirst();
  }

  /** Such as {@code 64 MiB} or {@code 1,000,000 bytes}: without rounding. */
  static String exact(long bytes) {
    return bytes % 1024 == 0 || bytes < 1024
        ? ByteText.of(bytes)
        : String.format(Locale.ROOT, "%,d bytes", bytes);
  }

  static String counted(int count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * fraction);
  }

  private static String joined(List<Integer> streams) {
    return String.join(" and ", streams.stream().map(String::valueOf).toList());
  }
}
