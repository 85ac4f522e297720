package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.FrameRules;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenSnapshotsTest {
  private final List<String> decoded = new ArrayList<>();

  @Test
  void aSnapshotIsDecodedOnce() {
    OpenSnapshots open = new OpenSnapshots(this::decode, Long.MAX_VALUE);
    assertThat(open.open("a")).isSameAs(open.open("a"));
    assertThat(decoded).containsExactly("a");
  }

  @Test
  void theOneLookedAtLongestAgoIsClosedFirst() {
    OpenSnapshots open = new OpenSnapshots(this::decode, 2 * decode("size").heapBytes());
    open.open("a");
    open.open("b");
    open.open("a");
    open.open("c");
    assertThat(open.openCount()).isEqualTo(2);
    decoded.clear();
    open.open("a");
    open.open("c");
    assertThat(decoded).isEmpty();
  }

  @Test
  void oneThatIsLargerThanAllRoomStaysOpenAlone() {
    OpenSnapshots open = new OpenSnapshots(this::decode, 1);
    open.open("a");
    assertThat(open.openCount()).isEqualTo(1);
    open.open("b");
    assertThat(open.openCount()).isEqualTo(1);
  }

  @Test
  void aDeletedOneIsForgottenAlsoWhenItWasClosed() {
    OpenSnapshots open = new OpenSnapshots(this::decode, 1);
    open.open("a");
    open.open("b");
    open.forget("a");
    open.forget("b");
    assertThat(open.openCount()).isZero();
    decoded.clear();
    open.open("a");
    assertThat(decoded).containsExactly("a");
  }

  @Test
  void manyWhoAskAtOnceWaitForTheOneDecoding() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    OpenSnapshots open =
        new OpenSnapshots(
            id -> {
              count.incrementAndGet();
              try {
                go.await();
              } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
              }
              return snapshot(id);
            },
            Long.MAX_VALUE);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<OpenSnapshot>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        answers.add(threads.submit(() -> open.open("a")));
      }
      go.countDown();
      OpenSnapshot first = answers.getFirst().get();
      for (Future<OpenSnapshot> answer : answers) {
        assertThat(answer.get()).isSameAs(first);
      }
    }
    assertThat(count.get()).isEqualTo(1);
  }

  @Test
  void aFailureIsForWhoAskedAndNotRemembered() {
    AtomicInteger count = new AtomicInteger();
    OpenSnapshots open =
        new OpenSnapshots(
            id -> {
              if (count.getAndIncrement() == 0) {
                throw RefusedRequestException.noSnapshot(id);
              }
              return snapshot(id);
            },
            Long.MAX_VALUE);
    assertThatThrownBy(() -> open.open("a")).isInstanceOf(RefusedRequestException.class);
    assertThat(open.open("a").id()).isEqualTo("a");
  }

  @Test
  void aDeviceThatIsNotThereIsNamedWithThoseThatAre() {
    OpenSnapshot open = snapshot("a");
    assertThat(open.device(null).ordinal()).isEqualTo(0);
    assertThatThrownBy(() -> open.device(5))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage("Snapshot a has no device 5");
  }

  private OpenSnapshot decode(String id) {
    decoded.add(id);
    return snapshot(id);
  }

  private static OpenSnapshot snapshot(String id) {
    Block block = new Block(4096, 2 << 20, 2 << 20, BlockState.ALLOCATED, StackTable.NONE);
    Segment segment =
        new Segment(4096, 2 << 20, 0, PoolKind.LARGE, PoolId.DEFAULT, false, 0, List.of(block));
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(segment), Trace.EMPTY, List.of());
    Snapshot snapshot =
        new Snapshot(
            new Origin("test", "test", Trace.NO_TIME),
            Optional.empty(),
            List.of(device),
            StackTable.EMPTY,
            List.of());
    return new OpenSnapshot(id, snapshot, FrameRules.standard());
  }
}
