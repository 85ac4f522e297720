package dev.vramscope.live.lab;

import dev.vramscope.device.sim.SimStreams;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The kernels that run on the streams of a simulated device, and the events that wait for them. An
 * event completes when the kernels before it have finished; a kernel finishes when the script says
 * so, or when the allocator waits for its stream.
 */
final class RunningKernels {
  /** Each step describes all of them. */
  static final int MAX_RUNNING = 32;

  private final SimStreams streams;

  /** Receives the line of a trace that has the same effect on the device. */
  private final Consumer<String> trace;

  /** By number. */
  private final TreeMap<Long, Kernel> running = new TreeMap<>();

  private long launched;

  /** Whether no more kernels may be launched before some finish. */
  boolean isFull() {
    return running.size() >= MAX_RUNNING;
  }

  RunningKernels(SimStreams streams, Consumer<String> trace) {
    this.streams = streams;
    this.trace = trace;
  }

  void launch(int stream, long id, long address, long bytes) {
    launched++;
    long number = launched;
    running.put(number, new Kernel(number, stream, id, address, bytes, streams.recordedOn(stream)));
    streams.enqueue(stream, 0, () -> running.remove(number));
  }

  /** Finishes the oldest kernel of a stream; returns false if none runs there. */
  boolean finish(int stream) {
    Optional<Kernel> oldest = oldest(stream);
    oldest.ifPresent(kernel -> running.remove(kernel.number()));
    return oldest.isPresent();
  }

  /** Finishes all kernels of a stream; returns how many ran. */
  int synchronize(int stream) {
    int before = running.size();
    running.values().removeIf(kernel -> kernel.stream() == stream);
    return before - running.size();
  }

  /** Finishes all kernels of all streams; returns how many ran. */
  int synchronizeAll() {
    int count = running.size();
    running.clear();
    return count;
  }

  /** Completes the events that no running kernel precedes. */
  void completeEvents() {
    for (int stream = 0; stream <= Script.MAX_STREAM; stream++) {
      long recorded = streams.recordedOn(stream);
      long ready = oldest(stream).map(Kernel::eventsBefore).orElse(recorded);
      long more = ready - streams.doneOn(stream);
      if (more > 0) {
        streams.advance(stream, more);
        trace.accept("advance " + stream + " " + more);
      }
    }
  }

  private Optional<Kernel> oldest(int stream) {
    return running.values().stream()
        .filter(kernel -> kernel.stream() == stream)
        .min(Comparator.comparingLong(Kernel::number));
  }

  /** All running kernels, in the order of their launches. */
  List<Kernel> all() {
    return new ArrayList<>(running.values());
  }
}
