package dev.vramscope.device.cuda;

import dev.vramscope.device.Streams;
import java.util.Arrays;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * Streams of the driver, identified by small numbers, and events.
 *
 * <p>Stream 0 is the driver's default stream; created streams do not synchronize with it.
 */
final class CudaStreams implements Streams {
  private final CudaContext context;
  private final CudaEvents events;

  /** By number; copied on write, so that readers need no lock. */
  private volatile CUstream[] streams = {new CUstream()};

  CudaStreams(CudaContext context) {
    this.context = context;
    this.events = new CudaEvents(context);
  }

  @Override
  public synchronized int create() {
    int number = streams.length;
    if (number > MAX_STREAM) {
      throw new IllegalStateException(
          "This device already has %d streams, the maximum.".formatted(number));
    }
    CUstream created = new CUstream();
    context.run(
        () -> JCudaDriver.cuStreamCreate(created, CUstream_flags.CU_STREAM_NON_BLOCKING),
        () -> "cuStreamCreate");
    CUstream[] extended = Arrays.copyOf(streams, number + 1);
    extended[number] = created;
    streams = extended;
    return number;
  }

  CUstream stream(int number) {
    CUstream[] current = streams;
    if (number < 0 || number >= current.length) {
      throw new IllegalArgumentException(
          "There is no stream %d on this device; it has 0 to %d."
              .formatted(number, current.length - 1));
    }
    return current[number];
  }

  @Override
  public long recordEvent(int stream) {
    return events.record(stream(stream), stream);
  }

  @Override
  public boolean isDone(long event) {
    return events.isDone(event);
  }

  @Override
  public void synchronizeEvent(long event) {
    events.synchronize(event);
  }

  @Override
  public void freeEvent(long event) {
    events.release(event);
  }

  /** Makes a stream wait for an event of another stream. */
  void await(int stream, long event) {
    events.await(stream(stream), stream, event);
  }

  @Override
  public void synchronize(int stream) {
    CUstream handle = stream(stream);
    context.runBlocking(
        () -> JCudaDriver.cuStreamSynchronize(handle), () -> "cuStreamSynchronize of " + stream);
  }

  @Override
  public void synchronizeAll() {
    context.runBlocking(JCudaDriver::cuCtxSynchronize, () -> "cuCtxSynchronize");
  }

  /** Destroys all events and all streams but the default one. */
  synchronized void destroyAll() {
    events.destroyAll();
    CUstream[] current = streams;
    streams = Arrays.copyOf(current, 1);
    for (int number = 1; number < current.length; number++) {
      CUstream handle = current[number];
      context.attempt(
          () -> context.run(() -> JCudaDriver.cuStreamDestroy(handle), () -> "cuStreamDestroy"));
    }
  }
}
