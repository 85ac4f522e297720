package dev.vramscope.whatif.replays;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.device.sim.AddressPolicy;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.Fidelity.Start;
import dev.vramscope.whatif.RecordedRun;
import dev.vramscope.whatif.pool.PoolSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The replay of a BFC allocator's recording under its own settings, compared with it: the regions
 * in their order and with their sizes, and each block by its region and its offset there. The
 * device of the replay has other addresses; only their order matters to the allocator.
 */
public final class PoolReproduction {
  private static final long GRANULARITY_BYTES = 2L << 20;

  /** More than any pool has. */
  private static final long DEVICE_BYTES = 1L << 44;

  private final RecordedRun run;
  private final Trace trace;
  private final Regions recorded = new Regions();
  private final Regions replayed = new Regions();
  private final List<String> notes = new ArrayList<>();
  private final BfcAllocator allocator;
  private final long[] handles;
  private long lastAddress;
  private int placements;
  private int reproduced;
  private int event;

  /** Where regions are, and which was acquired first. */
  private static final class Regions {
    private record Region(int number, long bytes) {}

    private final TreeMap<Long, Region> held = new TreeMap<>(Long::compareUnsigned);
    private final List<Long> history = new ArrayList<>();
    private int count;

    void event(TraceAction action, long address, long bytes) {
      if (action == TraceAction.SEGMENT_ALLOC) {
        held.put(address, new Region(count++, bytes));
        history.add(bytes);
      } else if (action == TraceAction.SEGMENT_FREE) {
        held.remove(address);
        history.add(-bytes);
      }
    }

    /** Region and offset; a region of -1 if the address is in none. */
    Place place(long address) {
      Map.Entry<Long, Region> region = held.floorEntry(address);
      return region == null || address - region.getKey() >= region.getValue().bytes()
          ? new Place(-1, address)
          : new Place(region.getValue().number(), address - region.getKey());
    }
  }

  private record Place(int region, long offset) {}

  private PoolReproduction(DeviceSnapshot device, RecordedRun run, PoolSettings pool) {
    this.run = run;
    trace = device.trace();
    handles = new long[run.slotCount()];
    SimDevice simulated =
        new SimDevice(
            DEVICE_BYTES,
            GRANULARITY_BYTES,
            pool.descending() ? AddressPolicy.DESCENDING : AddressPolicy.FIRST_FIT);
    allocator =
        BfcAllocator.forReplay(
            pool.options(DEVICE_BYTES), new MemorySubAllocator(simulated.memory()));
    allocator.addListener(
        new AllocatorListener() {
          @Override
          public void event(
              TraceAction action, long address, long bytes, int stream, int poolNumber) {
            replayed.event(action, address, bytes);
            lastAddress = action == TraceAction.ALLOC ? address : lastAddress;
          }

          @Override
          public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int poolNumber) {
            // The caller counts it.
          }
        });
  }

  /** Replays the recording of a device whose pool is known. */
  public static Fidelity of(DeviceSnapshot device, RecordedRun run, PoolSettings pool) {
    return new PoolReproduction(device, run, pool).fidelity();
  }

  private Fidelity fidelity() {
    for (int operation = 0; operation < run.operations(); operation++) {
      switch (run.kind(operation)) {
        case RecordedRun.ALLOCATE -> allocate(operation);
        case RecordedRun.FAIL, RecordedRun.FAIL_IN_CAPTURE -> fail(operation);
        case RecordedRun.FREE, RecordedRun.FREE_PENDING -> free(operation);
        default -> {
          // The allocator has neither pools nor a cache that programs empty.
        }
      }
    }
    reach(trace.size());
    int common = 0;
    List<Long> one = recorded.history;
    List<Long> other = replayed.history;
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      common += one.get(i).equals(other.get(i)) ? 1 : 0;
    }
    addNotes();
    return new Fidelity(
        Math.max(one.size(), other.size()),
        common,
        placements,
        reproduced,
        Start.WHOLE_RUN,
        TieBreak.SEGMENT_AGE,
        notes);
  }

  private void addNotes() {
    notes.addAll(run.notes());
    notes.add(
        "Regions lie at other addresses than in the recording, in the same order: a block counts as"
            + " reproduced at the same offset of the same region.");
  }

  /** The recorded regions up to an event. */
  private void reach(int until) {
    for (; event < until; event++) {
      recorded.event(trace.action(event), trace.address(event), trace.bytes(event));
    }
  }

  private void allocate(int operation) {
    int allocated = run.event(operation);
    placements++;
    long handle = tryAllocate(operation);
    handles[run.slot(operation)] = handle;
    if (allocated < 0 || handle == Allocator.NO_BLOCK) {
      return;
    }
    reach(allocated);
    Place place = recorded.place(trace.address(allocated));
    reproduced += place.region() >= 0 && place.equals(replayed.place(lastAddress)) ? 1 : 0;
  }

  /** A request that failed and is served now is a difference. */
  private void fail(int operation) {
    long handle = tryAllocate(operation);
    if (handle != Allocator.NO_BLOCK) {
      placements++;
      allocator.free(handle);
    }
  }

  private long tryAllocate(int operation) {
    try {
      return allocator.allocate(run.bytes(operation), run.stream(operation));
    } catch (OutOfDeviceMemoryException _) {
      return Allocator.NO_BLOCK;
    }
  }

  private void free(int operation) {
    int slot = run.slot(operation);
    allocator.free(handles[slot]);
    handles[slot] = Allocator.NO_BLOCK;
  }
}
