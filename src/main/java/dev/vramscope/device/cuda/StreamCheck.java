package dev.vramscope.device.cuda;

import dev.vramscope.device.CheckResult;
import dev.vramscope.device.PendingCheck;
import org.jspecify.annotations.Nullable;

/** A check whose answer lies in host memory once its stream has come to an event. */
abstract class StreamCheck implements PendingCheck {
  private final CudaStreams streams;
  private final long event;
  private @Nullable CheckResult result;

  StreamCheck(CudaStreams streams, long event) {
    this.streams = streams;
    this.event = event;
  }

  /** Reads the answer and gives its memory back; called once, when it is there. */
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
