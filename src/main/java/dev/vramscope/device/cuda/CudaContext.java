package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A retained primary context of a device, and the way driver calls are made in it.
 *
 * <p>The driver keeps the current context per operating system thread, and a virtual thread may
 * continue on a different one after each blocking point. So each call sets the context first, and
 * nothing between the two can block: the call is passed as an object with its arguments already
 * evaluated, which does nothing but the call. Setting a context that is already current costs about
 * 10 ns (docs/decisions/0007).
 *
 * <p>A call that may block would pin the carrier of a virtual thread, so it is made on a platform
 * thread.
 */
final class CudaContext implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CudaContext.class);

  /** Makes the blocking calls of virtual threads. Idle threads end. */
  private static final ExecutorService BLOCKING_CALLS =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("cuda-wait-", 0).daemon().factory());

  private static final long CLOSED = 1L << 62;

  private final CUdevice device;
  private final CUcontext context;
  private volatile @Nullable String lossReason;

  /**
   * The number of running calls, plus {@link #CLOSED} after closing. The last call to end after
   * closing releases the context.
   */
  private final AtomicLong calls = new AtomicLong();

  private final AtomicBoolean released = new AtomicBoolean();

  private CudaContext(CUdevice device, CUcontext context) {
    this.device = device;
    this.context = context;
  }

  /** Retains the device's primary context, creating it if necessary. */
  static CudaContext retain(int ordinal) {
    CUdevice device = new CUdevice();
    requireAtOpen(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet", ordinal);
    CUcontext context = new CUcontext();
    requireAtOpen(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain", ordinal);
    return new CudaContext(device, context);
  }

  private static void requireAtOpen(int result, String call, int ordinal) {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DeviceException(
          "The device cuda:%d cannot be opened: %s returned %s"
              .formatted(ordinal, call, CudaError.text(result)));
    }
  }

  /** The value of a {@code CUdevice_attribute}. */
  int attribute(int attribute) {
    int[] value = new int[1];
    run(
        () -> JCudaDriver.cuDeviceGetAttribute(value, attribute, device),
        () -> "cuDeviceGetAttribute " + attribute);
    return value[0];
  }

  /** Why the device is lost, or null if it is not. */
  @Nullable String lossReason() {
    return lossReason;
  }

  /**
   * Makes a call that must succeed.
   *
   * @param description the call and its arguments, for the error message
   */
  void run(IntSupplier call, Supplier<String> description) {
    require(call(call), description);
  }

  /** As {@link #run}, for a call that may block until the device is ready. */
  void runBlocking(IntSupplier call, Supplier<String> description) {
    require(callBlocking(call), description);
  }

  /**
   * Makes a call.
   *
   * @return its {@code CUresult}; the caller handles the errors it expects and passes the rest to
   *     {@link #require}
   */
  int call(IntSupplier call) {
    String reason = lossReason;
    if (reason != null) {
      throw new DeviceLostException(reason);
    }
    boolean wasClosed = calls.getAndIncrement() >= CLOSED;
    try {
      if (wasClosed) {
        throw new IllegalStateException("This device is closed.");
      }
      int set = JCudaDriver.cuCtxSetCurrent(context);
      if (set != CUresult.CUDA_SUCCESS) {
        require(set, () -> "cuCtxSetCurrent");
      }
      return call.getAsInt();
    } finally {
      if (calls.decrementAndGet() == CLOSED) {
        release();
      }
    }
  }

  /** As {@link #call}, for a call that may block until the device is ready. */
  int callBlocking(IntSupplier call) {
    if (!Thread.currentThread().isVirtual()) {
      return call(call);
    }
    try {
      return CompletableFuture.supplyAsync(() -> call(call), BLOCKING_CALLS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Throws the exception for a {@code CUresult} other than {@code CUDA_SUCCESS}. */
  void require(int result, Supplier<String> description) {
    if (result == CUresult.CUDA_SUCCESS) {
      return;
    }
    String message = description.get() + " returned " + CudaError.text(result);
    if (!CudaError.isFatal(result)) {
      throw new DeviceException(message);
    }
    String reason =
        "The device is lost: "
            + message
            + " The contents of its memory are lost for this process; close its allocators, and"
            + " restart to use it again.";
    synchronized (this) {
      if (lossReason == null) {
        lossReason = reason;
        LOG.error("{}", reason);
      }
    }
    throw new DeviceLostException(reason);
  }

  /** Runs a clean-up step; a failure is only logged, so that the next steps still run. */
  void attempt(Runnable step) {
    try {
      step.run();
    } catch (DeviceException e) {
      LOG.warn("Closing a device: {}", e.getMessage());
    }
  }

  boolean isClosed() {
    return calls.get() >= CLOSED;
  }

  /**
   * Releases the context once the running calls have ended. The driver destroys the context, with
   * everything in it, when it is retained no more.
   */
  @Override
  public synchronized void close() {
    if (!isClosed() && calls.addAndGet(CLOSED) == CLOSED) {
      release();
    }
  }

  /**
   * Runs once: a call made after closing is counted until it is rejected, so it may get here, too.
   */
  private void release() {
    if (!released.compareAndSet(false, true)) {
      return;
    }
    int result = JCudaDriver.cuDevicePrimaryCtxRelease(device);
    if (result != CUresult.CUDA_SUCCESS) {
      LOG.warn("cuDevicePrimaryCtxRelease returned {}", CudaError.text(result));
    }
  }
}
