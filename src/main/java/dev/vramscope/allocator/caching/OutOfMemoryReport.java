package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.OutOfMemoryObserver;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.Device;
import dev.vramscope.device.ProcessMemory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Step 6 of {@link AllocateSteps}: PyTorch's out-of-memory message, verbatim. */
final class OutOfMemoryReport {
  private static final String HINT =
      " If reserved but unallocated memory is large try setting"
          + " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See"
          + " documentation for Memory Management "
          + " (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)";

  private final Client client;
  private final Device device;
  private final Pools pools;
  private final MemoryLimit limit;
  private final Configuration configuration;
  private final Statistics statistics;
  private final Listeners listeners;
  private final List<OutOfMemoryObserver> observers = new CopyOnWriteArrayList<>();

  OutOfMemoryReport(CachingState state) {
    this.client = state.client;
    this.device = state.device;
    this.pools = state.pools;
    this.limit = state.limit;
    this.configuration = state.configuration;
    this.statistics = state.statistics;
    this.listeners = state.listeners;
  }

  /** Counts the failure of a request and notifies the listeners. */
  Failure fail(CachingRequest request) {
    if (request.isRejected()) {
      return new Failure(rejection(request), /* observed= */ false, 0, 0, 0);
    }
    long deviceFreeBytes = device.memory().freeBytes();
    listeners.outOfMemory(request.bytes, deviceFreeBytes, request.stream, request.pool().number());
    statistics.countOutOfMemory();
    return new Failure(
        exception(request, deviceFreeBytes),
        /* observed= */ true,
        request.segmentBytes,
        limit.allowedBytes(),
        deviceFreeBytes);
  }

  private OutOfDeviceMemoryException exception(CachingRequest request, long deviceFreeBytes) {
    return client == Client.REPLAY
        ? OutOfDeviceMemoryException.withoutMessage(request.requestedBytes, request.segmentBytes)
        : new OutOfDeviceMemoryException(
            request.requestedBytes,
            request.segmentBytes,
            message(request.segmentBytes, deviceFreeBytes));
  }

  /**
   * The exception to throw and the arguments for observers, who are notified first. Both happen
   * without the lock.
   *
   * @param observed whether observers are notified; they are not of rejections
   */
  record Failure(
      OutOfDeviceMemoryException exception,
      boolean observed,
      long segmentBytes,
      long limitBytes,
      long deviceFreeBytes) {}

  void addObserver(OutOfMemoryObserver observer) {
    observers.add(observer);
  }

  /**
   * Notifies the observers; called without the lock.
   *
   * @return the exception to throw
   */
  OutOfDeviceMemoryException notifyObservers(Failure failure) {
    if (failure.observed()) {
      for (OutOfMemoryObserver observer : observers) {
        observer.outOfMemory(
            device.ordinal(),
            failure.segmentBytes(),
            failure.limitBytes(),
            failure.deviceFreeBytes());
      }
    }
    return failure.exception();
  }

  private static OutOfDeviceMemoryException rejection(CachingRequest request) {
    return new OutOfDeviceMemoryException(
        request.requestedBytes,
        "CUDA out of memory. Allocation was preemptively rejected because it would exceed"
            + " per_process_memory_fraction limit. Requested size: "
            + MessageBytes.of(request.requestedBytes));
  }

  private String message(long segmentBytes, long deviceFreeBytes) {
    long allocated = statistics.allocatedBytes();
    long freeInPrivatePools = 0;
    for (PrivatePool pool : pools.privatePools()) {
      freeInPrivatePools += pool.small().freeBytes() + pool.large().freeBytes();
    }
    StringBuilder text = new StringBuilder("CUDA out of memory. Tried to allocate ");
    text.append(MessageBytes.of(segmentBytes)).append(". GPU ").append(device.ordinal());
    text.append(" has a total capacity of ").append(MessageBytes.of(limit.deviceBytes()));
    text.append(" of which ").append(MessageBytes.of(deviceFreeBytes)).append(" is free. ");
    for (ProcessMemory process : device.processes()) {
      text.append(
          process.isSelf()
              ? "Including non-PyTorch memory, this process"
              : "Process " + process.pid());
      text.append(" has ").append(MessageBytes.of(process.usedBytes())).append(" memory in use. ");
    }
    if (limit.isSet()) {
      text.append(MessageBytes.of(limit.allowedBytes())).append(" allowed; ");
    }
    text.append("Of the allocated memory ").append(MessageBytes.of(allocated + freeInPrivatePools));
    text.append(" is allocated by PyTorch, ");
    if (freeInPrivatePools > 0) {
      text.append("with ").append(MessageBytes.of(freeInPrivatePools));
      text.append(" allocated in private pools (e.g., CUDA Graphs), ");
    }
    text.append("and ");
    text.append(MessageBytes.of(statistics.reservedBytes() - allocated - freeInPrivatePools));
    text.append(" is reserved by PyTorch but unallocated.");
    if (!configuration.expandableSegments()) {
      text.append(HINT);
    }
    return text.toString();
  }
}
