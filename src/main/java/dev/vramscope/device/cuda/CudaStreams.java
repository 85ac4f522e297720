package dev.vramscope.device.cuda;

import dev.vramscope.device.Streams;
import java.util.Arrays;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * Streams of the driver behind small numbers, and events.
 *
 * <p>Stream 0 is the driver's default stream; the created ones do not wait for it.
 */
final class CudaStreams implements Streams {
  private final CudaContext context;
  private final CudaEvents events;

  /** By number; replaced, never changed, so that readers need no lock. */
  private volatile CUstream[] streams = {new CUstream()};

  CudaStreams(CudaContext context) {
    this.context = context;
    this.events = new CudaEvents(context);
  }

  @Override
  public synchronized int create() {
    int number = streams.length;
    if (number > MAX_STREAM) {
      throw new IllegalStateException("This device has %d streams; no more fit.".formatted(number));
    }
    CUstream created = new CUstream();
    context.run(
        () -> JCudaDriver.cuStreamCreate(created, CUstream_flags.CU_STREAM_NON_BLOCKING),
        () -> "cuStreamCreate");
    CUstream[] more = Arrays.copyOf(streams, number + 1);
    more[number] = created;
    streams = more;
    return number;
  }

  CUstream stream(int number) {
    CUstream[] known = streams;
    if (number < 0 || number >= known.length) {
      throw new IllegalArgumentException(
          "There is no stream %d on this device; it has 0 to %d."
              .formatted(number, known.length - 1));
    }
    return known[number];
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
    events.giveBack(event);
  }

  /** Lets a stream wait for an event of another. */
  void await(int stream, long event) {
    events.await(stream(stream), stream, event);
  }

  @Override
  public void synchronize(int stream) {
    CUstream waited = stream(stream);
    context.runLong(
        () -> JCudaDriver.cuStreamSynchronize(waited), () -> "cuStreamSynchronize of " + stream);
  }

  @Override
  public void synchronizeAll() {
    context.runLong(JCudaDriver::cuCtxSynchronize, () -> "cuCtxSynchronize");
  }

  /** Destroys all events and all streams but the default one. */
  synchronized void destroyAll() {
    events.destroyAll();
    CUstream[] known = streams;
    streams = Arrays.copyOf(known, 1);
    for (int number = 1; number < known.length; number++) {
      CUstream given = known[number];
      context.attempt(
          () -> context.run(() -> JCudaDriver.cuStreamDestroy(given), () -> "cuStreamDestroy"));
    }
  }
}
