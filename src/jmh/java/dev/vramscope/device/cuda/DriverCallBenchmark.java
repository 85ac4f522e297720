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
 * Budget G2: the overhead added to a direct JCuda call. Uses the emulated driver, which returns
 * immediately, so the differences matter, not the times.
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
  private CUevent directEvent;
  private ExecutorService virtualThreads;

  @Setup
  public void open() {
    device = CudaEmulator.ofBytes(1L << 30).open();
    event = device.streams().recordEvent(Streams.DEFAULT);
    directEvent = new CUevent();
    JCudaDriver.cuEventCreate(directEvent, 0);
    virtualThreads = Executors.newVirtualThreadPerTaskExecutor();
  }

  @TearDown
  public void close() {
    virtualThreads.close();
    device.close();
  }

  @Benchmark
  public int eventQueryDirect() {
    return JCudaDriver.cuEventQuery(directEvent);
  }

  @Benchmark
  public boolean eventQuery() {
    return device.streams().isDone(event);
  }

  @Benchmark
  public int eventRecordDirect() {
    return JCudaDriver.cuEventRecord(directEvent, null);
  }

  /** With a pooled event. */
  @Benchmark
  public void eventRecord() {
    device.streams().freeEvent(device.streams().recordEvent(Streams.DEFAULT));
  }

  @Benchmark
  public int streamSynchronizeDirect() {
    return JCudaDriver.cuStreamSynchronize(null);
  }

  @Benchmark
  public void streamSynchronize() {
    device.streams().synchronize(Streams.DEFAULT);
  }

  @Benchmark
  public int allocateAndFreeDirect() {
    DevicePointer address = new DevicePointer();
    return JCudaDriver.cuMemAlloc(address, BLOCK_BYTES) + JCudaDriver.cuMemFree(address);
  }

  @Benchmark
  public void allocateAndFree() {
    device.memory().free(device.memory().allocate(BLOCK_BYTES));
  }

  /** The baseline: starts a virtual thread that does nothing. */
  @Benchmark
  public void virtualThreadOnly() throws Exception {
    virtualThreads.submit(() -> {}).get();
  }

  /** Blocking calls of virtual threads are made on a platform thread. */
  @Benchmark
  public void streamSynchronizeOfVirtualThread() throws Exception {
    virtualThreads.submit(() -> device.streams().synchronize(Streams.DEFAULT)).get();
  }
}
