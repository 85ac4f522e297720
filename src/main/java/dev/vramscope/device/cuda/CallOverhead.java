package dev.vramscope.device.cuda;

import dev.vramscope.device.Streams;
import java.util.Arrays;
import java.util.List;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * The duration of a driver call through a {@link CudaDevice} and directly through JCuda: the
 * medians of batches that are measured alternately, in nanoseconds.
 *
 * @param call the name of the driver function
 */
public record CallOverhead(String call, double directNanos, double wrappedNanos) {
  private static final int BATCHES = 15;
  private static final int CALLS = 20_000;

  public double addedNanos() {
    return wrappedNanos - directNanos;
  }

  /**
   * Measures short calls, where the overhead matters most, on the calling thread.
   *
   * @throws dev.vramscope.device.DeviceException if the device fails
   */
  public static List<CallOverhead> measure(CudaDevice device) {
    Streams streams = device.streams();
    long event = streams.recordEvent(Streams.DEFAULT);
    streams.synchronizeEvent(event);
    CUevent directEvent = new CUevent();
    long[] free = new long[1];
    long[] total = new long[1];
    // The device's calls above made the context current on this thread.
    JCudaDriver.cuEventCreate(directEvent, 0);
    JCudaDriver.cuEventRecord(directEvent, new CUstream());
    JCudaDriver.cuEventSynchronize(directEvent);
    try {
      return List.of(
          compare(
              "cuEventQuery",
              () -> JCudaDriver.cuEventQuery(directEvent),
              () -> streams.isDone(event)),
          compare(
              "cuMemGetInfo",
              () -> JCudaDriver.cuMemGetInfo(free, total),
              () -> device.memory().freeBytes()));
    } finally {
      JCudaDriver.cuEventDestroy(directEvent);
      streams.freeEvent(event);
    }
  }

  private static CallOverhead compare(String call, Runnable direct, Runnable wrapped) {
    double[] directNanos = new double[BATCHES];
    double[] wrappedNanos = new double[BATCHES];
    nanos(direct);
    nanos(wrapped);
    for (int batch = 0; batch < BATCHES; batch++) {
      directNanos[batch] = nanos(direct);
      wrappedNanos[batch] = nanos(wrapped);
    }
    return new CallOverhead(call, median(directNanos), median(wrappedNanos));
  }

  private static double nanos(Runnable call) {
    long begin = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    return (double) (System.nanoTime() - begin) / CALLS;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[BATCHES / 2];
  }
}
