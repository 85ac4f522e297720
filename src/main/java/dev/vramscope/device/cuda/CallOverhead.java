package dev.vramscope.device.cuda;

import dev.vramscope.device.Streams;
import java.util.Arrays;
import java.util.List;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * What a call costs through a {@link CudaDevice} and straight through JCuda, in nanoseconds,
 * medians of batches measured in turns.
 *
 * @param call its name in the driver
 */
public record CallOverhead(String call, double bareNanos, double oursNanos) {
  private static final int BATCHES = 15;
  private static final int CALLS = 20_000;

  public double addedNanos() {
    return oursNanos - bareNanos;
  }

  /**
   * Measures short calls, for which it matters most, on the calling thread.
   *
   * @throws dev.vramscope.device.DeviceException if the card fails
   */
  public static List<CallOverhead> measure(CudaDevice device) {
    Streams streams = device.streams();
    long event = streams.recordEvent(Streams.DEFAULT);
    streams.synchronizeEvent(event);
    CUevent bare = new CUevent();
    long[] free = new long[1];
    long[] total = new long[1];
    // The context is current on this thread from here on: the device's own calls left it so.
    JCudaDriver.cuEventCreate(bare, 0);
    JCudaDriver.cuEventRecord(bare, new CUstream());
    JCudaDriver.cuEventSynchronize(bare);
    try {
      return List.of(
          compare(
              "cuEventQuery", () -> JCudaDriver.cuEventQuery(bare), () -> streams.isDone(event)),
          compare(
              "cuMemGetInfo",
              () -> JCudaDriver.cuMemGetInfo(free, total),
              () -> device.memory().freeBytes()));
    } finally {
      JCudaDriver.cuEventDestroy(bare);
      streams.freeEvent(event);
    }
  }

  private static CallOverhead compare(String call, Runnable bare, Runnable ours) {
    double[] bareNanos = new double[BATCHES];
    double[] oursNanos = new double[BATCHES];
    nanos(bare);
    nanos(ours);
    for (int batch = 0; batch < BATCHES; batch++) {
      bareNanos[batch] = nanos(bare);
      oursNanos[batch] = nanos(ours);
    }
    return new CallOverhead(call, median(bareNanos), median(oursNanos));
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
