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
 * A hold on a card's primary context, and how calls are made in it.
 *
 * <p>The driver keeps the current context by operating system thread. A virtual thread may go on on
 * another one after each point at which it can wait. So each call sets the context first, and
 * nothing between the two can wait: the call comes as an object that has its arguments already, and
 * does nothing but the call. Setting the context that is current costs some 10 ns
 * (docs/decisions/0007).
 *
 * <p>A call that may take long would keep a virtual thread's carrier from all others: it is handed
 * to a thread of its own.
 */
final class CudaContext implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CudaContext.class);

  /** Makes the long calls of virtual threads. Its threads go when they are idle. */
  private static final ExecutorService WAITING =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("cuda-wait-", 0).daemon().factory());

  private static final long CLOSED = 1L << 62;

  private final CUdevice device;
  private final CUcontext context;
  private volatile @Nullable String loss;

  /** Calls under way, and {@link #CLOSED}. The hold ends with the last call after closing. */
  private final AtomicLong calls = new AtomicLong();

  private final AtomicBoolean released = new AtomicBoolean();

  private CudaContext(CUdevice device, CUcontext context) {
    this.device = device;
    this.context = context;
  }

  /** Takes hold of the context; it is made if nobody holds it. */
  static CudaContext retain(int ordinal) {
    CUdevice device = new CUdevice();
    requireAtOpening(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet", ordinal);
    CUcontext context = new CUcontext();
    requireAtOpening(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain", ordinal);
    return new CudaContext(device, context);
  }

  private static void requireAtOpening(int result, String call, int ordinal) {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DeviceException(
          "The card cuda:%d cannot be opened: %s answered %s"
              .formatted(ordinal, call, CudaError.text(result)));
    }
  }

  /** What the driver says about the card ({@code CUdevice_attribute}). */
  int attribute(int attribute) {
    int[] value = new int[1];
    run(
        () -> JCudaDriver.cuDeviceGetAttribute(value, attribute, device),
        () -> "cuDeviceGetAttribute " + attribute);
    return value[0];
  }

  /** Why the card answers no call any more, or null. */
  @Nullable String loss() {
    return loss;
  }

  /**
   * Makes a call that must succeed.
   *
   * @param words says the call and its arguments, for the error
   */
  void run(IntSupplier call, Supplier<String> words) {
    require(answer(call), words);
  }

  /** As {@link #run}, for a call that may wait for the device. */
  void runLong(IntSupplier call, Supplier<String> words) {
    require(answerLong(call), words);
  }

  /**
   * Makes a call.
   *
   * @return its {@code CUresult}; the caller handles those it expects, and requires the rest
   */
  int answer(IntSupplier call) {
    String lost = loss;
    if (lost != null) {
      throw new DeviceLostException(lost);
    }
    boolean wasClosed = calls.getAndIncrement() >= CLOSED;
    try {
      if (wasClosed) {
        throw new IllegalStateException("This card was closed.");
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

  int answerLong(IntSupplier call) {
    if (!Thread.currentThread().isVirtual()) {
      return answer(call);
    }
    try {
      return CompletableFuture.supplyAsync(() -> answer(call), WAITING).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  void require(int result, Supplier<String> words) {
    if (result == CUresult.CUDA_SUCCESS) {
      return;
    }
    String message = words.get() + " answered " + CudaError.text(result);
    if (!CudaError.isLoss(result)) {
      throw new DeviceException(message);
    }
    String lost =
        "The card is lost: "
            + message
            + " What it held is gone for this process; close its allocators, and restart to use it"
            + " again.";
    synchronized (this) {
      if (loss == null) {
        loss = lost;
        LOG.error("{}", lost);
      }
    }
    throw new DeviceLostException(lost);
  }

  /** Gives something back; that it fails is told to the log only, so that the rest follows. */
  void attempt(Runnable step) {
    try {
      step.run();
    } catch (DeviceException e) {
      LOG.warn("Closing a card: {}", e.getMessage());
    }
  }

  boolean isClosed() {
    return calls.get() >= CLOSED;
  }

  /**
   * Lets go, when the calls that are under way have ended. The driver ends the context, and all
   * that is in it, when nobody holds it.
   */
  @Override
  public synchronized void close() {
    if (!isClosed() && calls.addAndGet(CLOSED) == CLOSED) {
      release();
    }
  }

  /** Once: a call that came too late counts, too, until it is refused. */
  private void release() {
    if (!released.compareAndSet(false, true)) {
      return;
    }
    int result = JCudaDriver.cuDevicePrimaryCtxRelease(device);
    if (result != CUresult.CUDA_SUCCESS) {
      LOG.warn("cuDevicePrimaryCtxRelease answered {}", CudaError.text(result));
    }
  }
}
