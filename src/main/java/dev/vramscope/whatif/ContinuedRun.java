package dev.vramscope.whatif;

import dev.vramscope.model.PoolId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;

/** Makes the operations of a run that goes on after a request that failed. */
public final class ContinuedRun {
  /** Instead of an event. */
  public static final int NO_EVENT = -1;

  private final RecordedRun run;
  private final Rest rest;
  private final Operations operations;

  /** The slots of live blocks, by the events of their allocations in the recording. */
  private final Map<Integer, Integer> live = new HashMap<>();

  /** The slots of the blocks that the continuation allocates, by the events that it repeats. */
  private final Map<Integer, Integer> repeated = new HashMap<>();

  /** By operation of the earlier step that frees a block: the event of its allocation. */
  private final Map<Integer, Integer> freed = new HashMap<>();

  /**
   * What a program would have done after a request that failed, had it been served: what it did in
   * an earlier step after the same request.
   *
   * @param failure the event of the request
   * @param from the first event of the earlier step after that request
   * @param to after the last event of that step
   * @param counterpart gives for the event of an earlier allocation that of the allocation which
   *     has its place now, or {@link #NO_EVENT}
   * @param bytes gives for the size of an earlier request that of the same request now
   */
  public record Rest(
      int failure, int from, int to, IntUnaryOperator counterpart, LongUnaryOperator bytes) {}

  private ContinuedRun(RecordedRun run, Rest rest) {
    this.run = run;
    this.rest = rest;
    operations = new Operations(run.operations(), run);
  }

  /** The operations up to the failure, which is served, and those that follow it. */
  static Operations of(RecordedRun run, Rest rest) {
    ContinuedRun continued = new ContinuedRun(run, rest);
    continued.copyUntilFailure();
    continued.repeat();
    return continued.operations;
  }

  private void copyUntilFailure() {
    int[] holders = new int[run.slotCount()];
    for (int i = 0; i < run.operations() && run.event(i) <= rest.failure(); i++) {
      byte kind = run.kind(i);
      int slot = run.slot(i);
      if (run.event(i) == rest.failure()
          && (kind == RecordedRun.FAIL || kind == RecordedRun.FAIL_IN_CAPTURE)) {
        slot = operations.takeSlot();
        kind = RecordedRun.ALLOCATE;
        live.put(run.event(i), slot);
      } else if (kind == RecordedRun.ALLOCATE && slot >= 0) {
        holders[slot] = run.event(i);
        live.put(run.event(i), slot);
      } else if (isFree(kind) && slot >= 0) {
        if (isRepeated(i)) {
          freed.put(i, holders[slot]);
        }
        if (kind != RecordedRun.FREE_PENDING) {
          live.remove(holders[slot]);
        }
      }
      operations.add(kind, slot, run.bytes(i), run.stream(i), run.pool(i), run.event(i));
    }
  }

  private static boolean isFree(byte kind) {
    return kind == RecordedRun.FREE
        || kind == RecordedRun.FREE_PENDING
        || kind == RecordedRun.COMPLETE;
  }

  private boolean isRepeated(int operation) {
    return run.event(operation) >= rest.from() && run.event(operation) < rest.to();
  }

  private void repeat() {
    for (int i = 0; i < run.operations() && run.event(i) < rest.to(); i++) {
      if (isRepeated(i)) {
        repeat(i);
      }
    }
  }

  private void repeat(int i) {
    byte kind = run.kind(i);
    if (kind == RecordedRun.ALLOCATE) {
      int slot = operations.takeSlot();
      repeated.put(run.event(i), slot);
      add(kind, slot, rest.bytes().applyAsLong(run.bytes(i)), i);
    } else if (isFree(kind) && freed.containsKey(i)) {
      int event = freed.get(i);
      boolean isOfRest = repeated.containsKey(event);
      int key = isOfRest ? event : rest.counterpart().applyAsInt(event);
      Map<Integer, Integer> slots = isOfRest ? repeated : live;
      Integer slot = kind == RecordedRun.FREE_PENDING ? slots.get(key) : slots.remove(key);
      if (slot != null) {
        add(kind, slot, run.bytes(i), i);
      }
    } else if (kind == RecordedRun.EMPTY_CACHE) {
      add(kind, -1, 0, i);
    }
  }

  private void add(byte kind, int slot, long bytes, int like) {
    PoolId pool = run.pool(like);
    operations.add(kind, slot, bytes, run.stream(like), pool, event(like));
  }

  /** Continued events follow those of the recording; see {@link RecordedRun#repeatedEvent}. */
  private int event(int like) {
    return run.events() + run.event(like) - rest.from();
  }
}
