package dev.vramscope.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaContextTest {
  private static final String RELEASE = "cuDevicePrimaryCtxRelease";

  private CudaEmulator emulator;
  private CudaContext context;

  @BeforeEach
  void retain() {
    emulator = CudaEmulator.ofBytes(1L << 30);
    emulator.driver().status();
    context = CudaContext.retain(0);
  }

  @Test
  void idleContextIsReleasedImmediatelyAndOnce() {
    context.close();
    context.close();
    assertThrows(IllegalStateException.class, () -> context.call(() -> CUresult.CUDA_SUCCESS));
    assertEquals(1, emulator.calls(RELEASE));
    assertTrue(context.isClosed());
  }

  @Test
  void contextIsReleasedAfterRunningCalls() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CompletableFuture<Integer> call =
        CompletableFuture.supplyAsync(() -> context.call(() -> awaitLeave(inside, leave)));
    inside.await();
    context.close();
    assertThrows(IllegalStateException.class, () -> context.call(() -> CUresult.CUDA_SUCCESS));
    assertEquals(0, emulator.calls(RELEASE));
    leave.countDown();
    assertEquals(CUresult.CUDA_SUCCESS, call.get());
    assertEquals(1, emulator.calls(RELEASE));
  }

  private static int awaitLeave(CountDownLatch inside, CountDownLatch leave) {
    inside.countDown();
    try {
      leave.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return CUresult.CUDA_SUCCESS;
  }
}
