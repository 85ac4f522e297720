package dev.vramscope.allocator.caching.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.history.History.EarlierEntries;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.TraceAction;
import java.lang.ref.WeakReference;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private final AtomicLong clock = new AtomicLong(1000);
  private final CachingAllocator allocator =
      new CachingAllocator(
          SimDevice.ofBytes(1L << 30), CachingOptions.of("").withClock(clock::getAndIncrement));
  private final History history = allocator.history();

  private List<TraceAction> actions() {
    return history.entries().stream().map(HistoryEntry::action).toList();
  }

  @Test
  void recordsNothingWhileOff() {
    allocator.free(allocator.allocate(700, 0));
    assertThat(history.entries()).isEmpty();
  }

  @Test
  void recordsAllocationsAndFreesInOrderWithTheirTime() {
    history.start(History.UNBOUNDED, EarlierEntries.REMOVE, Set.of());
    allocator.free(allocator.allocate(700, 0));
    assertEquals(
        List.of(
            TraceAction.SEGMENT_ALLOC,
            TraceAction.ALLOC,
            TraceAction.FREE_REQUESTED,
            TraceAction.FREE_COMPLETED),
        actions());
    HistoryEntry first = history.entries().getFirst();
    assertEquals(1000, first.timeMicros());
    assertEquals(2 << 20, first.bytes());
    assertEquals(PoolId.DEFAULT, first.pool());
    assertEquals(700, history.entries().get(1).bytes());
  }

  @Test
  void fullRingOverwritesAndCountsTheOldestEntries() {
    history.start(3, EarlierEntries.REMOVE, Set.of());
    allocator.free(allocator.allocate(700, 0));
    allocator.free(allocator.allocate(800, 0));
    assertEquals(
        List.of(800L, 800L, 800L), history.entries().stream().map(HistoryEntry::bytes).toList());
    assertEquals(4, history.overwrittenCount());
  }

  @Test
  void failedRequestHasTheFreeMemoryOfTheDevice() {
    history.start(10, EarlierEntries.REMOVE, Set.of());
    assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate(2L << 30, 0));
    HistoryEntry failure = history.entries().getFirst();
    assertEquals(TraceAction.OOM, failure.action());
    assertEquals(1L << 30, failure.deviceFreeBytes());
    assertEquals(0, failure.address());
  }

  @Test
  void skippedEventsAreNotRecorded() {
    history.start(
        10, EarlierEntries.REMOVE, EnumSet.of(TraceAction.FREE_REQUESTED, TraceAction.ALLOC));
    allocator.free(allocator.allocate(700, 0));
    assertEquals(List.of(TraceAction.SEGMENT_ALLOC, TraceAction.FREE_COMPLETED), actions());
  }

  @Test
  void metadataAppliesToTheThreadThatSetIt() throws InterruptedException {
    history.start(10, EarlierEntries.REMOVE, Set.of());
    history.setUserMetadata("step=1");
    allocator.free(allocator.allocate(700, 0));
    Thread other = Thread.ofPlatform().start(() -> allocator.allocate(700, 0));
    other.join();
    List<HistoryEntry> entries = history.entries();
    assertEquals("step=1", entries.getFirst().userMetadata());
    assertEquals("", entries.getLast().userMetadata());
  }

  @Test
  void compileContextsNest() {
    history.start(10, EarlierEntries.REMOVE, Set.of());
    history.pushCompileContext("outer");
    history.pushCompileContext("inner");
    allocator.allocate(700, 0);
    history.popCompileContext();
    allocator.allocate(700, 0);
    history.popCompileContext();
    history.popCompileContext();
    allocator.allocate(700, 0);
    assertEquals(
        List.of("inner", "inner", "outer", ""),
        history.entries().stream().map(HistoryEntry::compileContext).toList());
  }

  @Test
  void annotatingABlockIsAnEvent() {
    history.start(10, EarlierEntries.REMOVE, Set.of());
    long block = allocator.allocate(700, 0);
    allocator.annotate(block, "weights");
    assertEquals("weights", history.entries().getLast().userMetadata());
    allocator.free(block);
    assertThrows(IllegalArgumentException.class, () -> allocator.annotate(block, "late"));
  }

  @Test
  void externalAnnotationsAreRecordedOnlyWhileOn() {
    history.annotateExternally(Map.of("name", "early"));
    history.start(2, EarlierEntries.REMOVE, Set.of());
    for (String name : List.of("a", "b", "c")) {
      history.annotateExternally(Map.of("name", name));
    }
    assertEquals(List.of(Map.of("name", "b"), Map.of("name", "c")), history.externalAnnotations());
  }

  /** As in the ring of events: all entries are kept, and later ones overwrite the first indexes. */
  @Test
  void reducingTheMaximumKeepsExternalAnnotations() {
    history.start(4, EarlierEntries.REMOVE, Set.of());
    for (String name : List.of("a", "b", "c", "d")) {
      history.annotateExternally(Map.of("name", name));
    }
    history.start(2, EarlierEntries.KEEP, Set.of());
    for (String name : List.of("e", "f", "g")) {
      history.annotateExternally(Map.of("name", name));
    }
    assertEquals(
        List.of("f", "c", "d", "g"),
        history.externalAnnotations().stream().map(annotation -> annotation.get("name")).toList());
  }

  @Test
  void rejectsSkippedActionsThatPyTorchDoesNotReport() {
    for (String name : List.of("user_defined", "", "ALLOC")) {
      assertEquals(
          "Unknown TraceEntry action: " + name,
          assertThrows(
                  IllegalArgumentException.class,
                  () -> history.start(10, EarlierEntries.REMOVE, List.of(name)))
              .getMessage());
    }
  }

  @Test
  void unknownSkippedEventLeavesTheHistoryOnWithItsOldMaximum() {
    history.start(2, EarlierEntries.REMOVE, Set.of());
    allocator.free(allocator.allocate(700, 0));
    assertEquals(
        "Unknown TraceEntry action: nosuch",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    history.start(
                        9, EarlierEntries.REMOVE, List.of("alloc", "nosuch", "free_requested")))
            .getMessage());
    assertThat(history.entries()).hasSize(2);
    allocator.free(allocator.allocate(700, 0));
    assertEquals(List.of(TraceAction.FREE_REQUESTED, TraceAction.FREE_COMPLETED), actions());
  }

  @Test
  void textsWithoutAnEventAreGarbageCollected() {
    WeakReference<String> off = new WeakReference<>(new String("off"));
    history.setUserMetadata(Objects.requireNonNull(off.get()));
    history.setUserMetadata("");
    history.start(2, EarlierEntries.REMOVE, Set.of());
    WeakReference<String> overwritten = new WeakReference<>(new String("overwritten"));
    history.setUserMetadata(Objects.requireNonNull(overwritten.get()));
    allocator.free(allocator.allocate(700, 0));
    history.setUserMetadata("step=2");
    allocator.free(allocator.allocate(700, 0));
    awaitCleared(off);
    awaitCleared(overwritten);
    assertEquals("step=2", history.entries().getFirst().userMetadata());
  }

  private static void awaitCleared(WeakReference<String> reference) {
    for (int i = 0; i < 100 && reference.get() != null; i++) {
      System.gc();
    }
    assertThat(reference.get()).isNull();
  }
}
