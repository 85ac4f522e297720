package dev.vramscope.device.cuda;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.PendingCheck;
import org.jspecify.annotations.Nullable;

/** A check whose result is in host memory once an event of its stream is done. */
abstract class StreamCheck implements PendingCheck {
  private final CudaStreams streams;
  private final long event;
  private @Nullable CheckResult result;

  StreamCheck(CudaStreams streams, long event) {
    this.streams = streams;
    this.event = event;
  }

  /** Reads the result and releases its buffer; called once, after the event. */
  abstract CheckResult read();

  @Override
  public synchronized boolean isDone() {
    return result != null || streams.isDone(event);
  }

  @Override
  public synchronized CheckResult result() {
    if (result == null) {
      streams.synchronizeEvent(event);
      streams.freeEvent(event);
      result = read();
    }
    return result;
  }
}
