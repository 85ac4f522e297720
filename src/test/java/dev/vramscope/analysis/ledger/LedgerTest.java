package dev.vramscope.analysis.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.ledger.Ledger.Placement;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final long MIB = 1 << 20;
  private final List<Segment> segments = new ArrayList<>();
  private long address = 1L << 40;

  private void segment(
      long stream, PoolKind kind, PoolId pool, boolean expandable, Object... sizesAndStates) {
    List<Block> blocks = new ArrayList<>();
    long cursor = address;
    for (int i = 0; i < sizesAndStates.length; i += 2) {
      long bytes = (Long) sizesAndStates[i];
      BlockState state = (BlockState) sizesAndStates[i + 1];
      long requested = state == BlockState.INACTIVE ? Block.UNKNOWN : bytes - 100;
      blocks.add(new Block(cursor, bytes, requested, state, 0));
      cursor += bytes;
    }
    segments.add(new Segment(address, cursor - address, stream, kind, pool, expandable, 0, blocks));
    address = cursor + 512 * MIB;
  }

  private AllocatorState state() {
    return AllocatorState.end(new DeviceSnapshot(0, segments, Trace.EMPTY, List.of()));
  }

  private static Amount known(long bytes) {
    return new Amount.Known(bytes);
  }

  private void fill() {
    segment(0, PoolKind.LARGE, PoolId.DEFAULT, false, 20 * MIB, BlockState.INACTIVE);
    segment(
        0,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        false,
        8 * MIB,
        BlockState.ALLOCATED,
        12 * MIB,
        BlockState.INACTIVE);
    segment(
        7,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        false,
        5 * MIB,
        BlockState.PENDING_FREE,
        15 * MIB,
        BlockState.INACTIVE);
    segment(
        0,
        PoolKind.SMALL,
        PoolId.DEFAULT,
        false,
        MIB,
        BlockState.ALLOCATED,
        MIB,
        BlockState.INACTIVE);
    segment(
        0,
        PoolKind.LARGE,
        new PoolId(0, 1),
        false,
        11 * MIB,
        BlockState.ALLOCATED,
        9 * MIB,
        BlockState.INACTIVE);
    segment(0, PoolKind.LARGE, new PoolId(0, 1), false, 22 * MIB, BlockState.INACTIVE);
  }

  @Test
  void everyByteIsInOneRow() {
    fill();
    Ledger ledger =
        Ledger.of(
            state(),
            SizeRules.DEFAULT,
            DeviceMemory.UNKNOWN,
            new Placement(0, PoolKind.LARGE, PoolId.DEFAULT));
    assertThat(ledger.amount(Item.LIVE_REQUESTED)).isEqualTo(known(20 * MIB - 300));
    assertThat(ledger.amount(Item.ROUNDING)).isEqualTo(known(300));
    assertThat(ledger.amount(Item.PENDING_FREE)).isEqualTo(known(5 * MIB));
    assertThat(ledger.amount(Item.CACHED_RELEASABLE)).isEqualTo(known(20 * MIB));
    assertThat(ledger.amount(Item.CACHED_PRIVATE_POOL)).isEqualTo(known(22 * MIB));
    assertThat(ledger.amount(Item.UNRELEASABLE_USABLE_POOL)).isEqualTo(known(12 * MIB));
    assertThat(ledger.amount(Item.UNRELEASABLE_OTHER_STREAM)).isEqualTo(known(15 * MIB));
    assertThat(ledger.amount(Item.UNRELEASABLE_OTHER_POOL)).isEqualTo(known(MIB));
    assertThat(ledger.amount(Item.UNRELEASABLE_PRIVATE_POOL)).isEqualTo(known(9 * MIB));
    assertThat(ledger.reservedBytes()).isEqualTo(state().reservedBytes());
    assertThat(ledger.total()).isInstanceOf(Amount.Unknown.class);
    assertThat(ledger.remainder()).isInstanceOf(Amount.Unknown.class);
    assertThat(ledger.amount(Item.DEVICE_FREE)).isInstanceOf(Amount.Unknown.class);
  }

  @Test
  void withoutARequestUnreleasableBytesAreOneRow() {
    fill();
    Ledger ledger = Ledger.of(state(), SizeRules.DEFAULT, DeviceMemory.UNKNOWN);
    assertThat(ledger.amount(Item.UNRELEASABLE)).isEqualTo(known(37 * MIB));
  }

  @Test
  void rowsAndRemainderAddUpToTheTotal() {
    for (long seed = 0; seed < 30; seed++) {
      HistoryModel model = HistoryModel.of(seed, 150);
      long total = 1L << 40;
      AllocatorState state = AllocatorState.end(model.recordedFrom(0));
      Ledger ledger =
          Ledger.of(
              state,
              SizeRules.DEFAULT,
              new DeviceMemory(
                  OptionalLong.of(total),
                  OptionalLong.of(12345),
                  OptionalLong.empty(),
                  OptionalLong.empty()),
              new Placement(0, PoolKind.LARGE, PoolId.DEFAULT));
      long sum = ((Amount.Known) ledger.remainder()).bytes();
      long reserved = 0;
      for (Ledger.Row row : ledger.rows()) {
        if (row.amount() instanceof Amount.Known(long bytes)) {
          sum += bytes;
          reserved += row.item().isReserved() ? bytes : 0;
        }
      }
      assertThat(sum).as("seed %d", seed).isEqualTo(total);
      assertThat(reserved).isEqualTo(ledger.reservedBytes());
      assertThat(reserved).isEqualTo(model.reservedBytes(model.eventCount() - 1));
    }
  }

  @Test
  void singleUnknownRowIsTheRemainder() {
    fill();
    Ledger ledger =
        Ledger.of(
            state(),
            SizeRules.DEFAULT,
            new DeviceMemory(
                OptionalLong.of(200 * MIB),
                OptionalLong.of(10 * MIB),
                OptionalLong.empty(),
                OptionalLong.of(0)));
    assertThat(ledger.amount(Item.OUTSIDE_ALLOCATOR))
        .isEqualTo(known(190 * MIB - state().reservedBytes()));
    assertThat(ledger.remainder()).isEqualTo(known(0));
  }

  @Test
  void remainderIsUnknownIfTheDeviceIsTooSmall() {
    fill();
    Ledger ledger =
        Ledger.of(
            state(),
            SizeRules.DEFAULT,
            new DeviceMemory(
                OptionalLong.of(MIB),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty()));
    assertThat(ledger.remainder()).isInstanceOf(Amount.Unknown.class);
  }

  @Test
  void completelyFreePagesOfExpandableSegmentsAreReleasable() {
    segment(
        0,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        true,
        30 * MIB,
        BlockState.ALLOCATED,
        30 * MIB,
        BlockState.INACTIVE,
        20 * MIB,
        BlockState.ALLOCATED);
    Ledger ledger = Ledger.of(state(), SizeRules.DEFAULT, DeviceMemory.UNKNOWN);
    assertThat(ledger.amount(Item.CACHED_RELEASABLE)).isEqualTo(known(20 * MIB));
    assertThat(ledger.amount(Item.UNRELEASABLE)).isEqualTo(known(10 * MIB));
  }

  @Test
  void blocksWithoutARequestedSizeAreASeparateRow() {
    segments.add(
        new Segment(
            512,
            2 * MIB,
            0,
            PoolKind.SMALL,
            PoolId.DEFAULT,
            false,
            0,
            List.of(new Block(512, 2 * MIB, Block.UNKNOWN, BlockState.ALLOCATED, 0))));
    Ledger ledger = Ledger.of(state(), SizeRules.DEFAULT, DeviceMemory.UNKNOWN);
    assertThat(ledger.amount(Item.LIVE_REQUEST_UNKNOWN)).isEqualTo(known(2 * MIB));
    assertThat(ledger.amount(Item.ROUNDING)).isEqualTo(known(0));
  }
}
