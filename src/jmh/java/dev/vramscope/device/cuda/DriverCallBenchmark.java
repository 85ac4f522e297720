package dev.vramscope.device.cuda;

import dev.vramscope.device.Streams;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * BUDGETS G2: what our side adds to the bare JCuda call. Over the emulated driver, which answers at
 * once: the differences count, not the times.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class DriverCallBenchmark {
  private static final long BLOCK_BYTES = 4L << 20;

  private CudaDevice device;
  private long event;
  private CUevent bareEvent;
  private ExecutorService virtualThreads;

  @Setup
  public void open() {
    device = CudaEmulator.ofBytes(1L << 30).open();
    event = device.streams().recordEvent(Streams.DEFAULT);
    bareEvent = new CUevent();
    JCudaDriver.cuEventCreate(bareEvent, 0);
    virtualThreads = Executors.newVirtualThreadPerTaskExecutor();
  }

  @TearDown
  public void close() {
    virtualThreads.close();
    device.close();
  }

  @Benchmark
  public int eventQueryBare() {
    return JCudaDriver.cuEventQuery(bareEvent);
  }

  @Benchmark
  public boolean eventQuery() {
    return device.streams().isDone(event);
  }

  @Benchmark
  public int eventRecordBare() {
    return JCudaDriver.cuEventRecord(bareEvent, null);
  }

  /** With an event of the pool. */
  @Benchmark
  public void eventRecord() {
    device.streams().freeEvent(device.streams().recordEvent(Streams.DEFAULT));
  }

  @Benchmark
  public int streamSynchronizeBare() {
    return JCudaDriver.cuStreamSynchronize(null);
  }

  @Benchmark
  public void streamSynchronize() {
    device.streams().synchronize(Streams.DEFAULT);
  }

  @Benchmark
  public int allocateAndFreeBare() {
    DevicePointer address = new DevicePointer();
    return JCudaDriver.cuMemAlloc(address, BLOCK_BYTES) + JCudaDriver.cuMemFree(address);
  }

  @Benchmark
  public void allocateAndFree() {
    device.memory().free(device.memory().allocate(BLOCK_BYTES));
  }

  /** A virtual thread that is started, and nothing else. */
  @Benchmark
  public void virtualThreadAlone() throws Exception {
    virtualThreads.submit(() -> {}).get();
  }

  /** A long call of a virtual thread goes to a thread of its own. */
  @Benchmark
  public void streamSynchronizeOfVirtualThread() throws Exception {
    virtualThreads.submit(() -> device.streams().synchronize(Streams.DEFAULT)).get();
  }
}
