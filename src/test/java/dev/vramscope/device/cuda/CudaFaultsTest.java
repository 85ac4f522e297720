package dev.vramscope.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import dev.vramscope.device.MemorySubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Any driver call may fail: the error names the call, the allocator stays consistent, and no memory
 * is leaked.
 */
class CudaFaultsTest {
  private static final long MIB = 1L << 20;
  private static final long DEVICE_BYTES = 128 * MIB;
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;

  /** Up to this number every call is made to fail, then an ever smaller share. */
  private static final int FIRST_CALLS = 6;

  private static final List<String> CALLS =
      List.of(
          "cuCtxSetCurrent",
          "cuMemGetInfo",
          "cuMemAlloc",
          "cuMemFree",
          "cuMemAddressReserve",
          "cuMemAddressFree",
          "cuMemCreate",
          "cuMemMap",
          "cuMemSetAccess",
          "cuMemUnmap",
          "cuMemRelease",
          "cuStreamSynchronize",
          "cuCtxSynchronize",
          "cuEventCreate",
          "cuEventRecord",
          "cuEventQuery",
          "cuEventSynchronize");

  private enum Kind {
    PLAIN,
    EXPANDABLE,
    BFC,
    DIRECT;

    private Allocator on(Device device) {
      return switch (this) {
        case PLAIN -> new CachingAllocator(device, CachingOptions.of(""));
        case EXPANDABLE ->
            new CachingAllocator(device, CachingOptions.of("expandable_segments:True"));
        case BFC ->
            BfcAllocator.forReplay(
                BfcOptions.of("GPU_0_bfc", DEVICE_BYTES)
                    .withGrowing(true)
                    .withReleasesFreeRegions(true),
                new MemorySubAllocator(device.memory()));
        case DIRECT -> new DirectAllocator(device);
      };
    }
  }

  /** A client of an allocator that continues after errors. */
  private static final class Client {
    private final Allocator allocator;
    private final List<Long> blocks = new ArrayList<>();
    private final List<DeviceException> errors = new ArrayList<>();

    private Client(Allocator allocator) {
      this.allocator = allocator;
    }

    private void attempt(Runnable step) {
      try {
        step.run();
      } catch (DeviceException e) {
        errors.add(e);
      } catch (OutOfDeviceMemoryException e) {
        // Expected: the device is full at times.
      }
      allocator.inspect().checkInvariants();
    }

    private void allocate(long bytes, int stream) {
      attempt(() -> blocks.add(allocator.allocate(bytes, stream)));
    }

    /**
     * Covers streams, reuse, growth, a full device, and freeing blocks that another stream uses.
     */
    private void work() {
      for (int i = 0; i < 4; i++) {
        allocate((i + 1) * 3 * MIB, i % 2);
        allocate(1000 + i, 0);
      }
      for (long block : List.copyOf(blocks)) {
        attempt(() -> allocator.recordStream(block, 1));
      }
      free(blocks.size() / 2);
      allocate(50 * MIB, 0);
      allocate(70 * MIB, 0);
      attempt(allocator::emptyCache);
      allocate(30 * MIB, 1);
      free(blocks.size());
      attempt(allocator::emptyCache);
    }

    /** A block counts as freed even if freeing it failed. */
    private void free(int count) {
      for (int i = 0; i < count; i++) {
        long block = blocks.removeFirst();
        attempt(() -> allocator.free(block));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> failedCallIsReportedAndRecoveredFrom() {
    return Stream.of(Kind.values()).flatMap(kind -> CALLS.stream().map(call -> test(kind, call)));
  }

  private static DynamicTest test(Kind kind, String call) {
    return DynamicTest.dynamicTest(
        kind + " " + call,
        () -> {
          long calls = callsWithoutFaults(kind, call);
          for (long nth = 1; nth <= calls; nth += nth < FIRST_CALLS ? 1 : nth / 3) {
            failOnce(kind, call, nth, INVALID_VALUE);
            failOnce(kind, call, nth, OUT_OF_MEMORY);
          }
        });
  }

  private static long callsWithoutFaults(Kind kind, @Nullable String call) {
    CudaEmulator emulator = CudaEmulator.ofBytes(DEVICE_BYTES).manual();
    try (CudaDevice device = open(emulator)) {
      Client client = new Client(kind.on(device));
      long before = emulator.calls(call);
      client.work();
      assertThat(client.errors).isEmpty();
      return emulator.calls(call) - before;
    }
  }

  private static CudaDevice open(CudaEmulator emulator) {
    CudaDevice device = emulator.open();
    device.streams().create();
    return device;
  }

  private static void failOnce(Kind kind, String call, long nth, int result) {
    CudaEmulator emulator = CudaEmulator.ofBytes(DEVICE_BYTES).manual();
    // A second user keeps the context, so that leaked memory is not freed with the context.
    try (CudaDevice other = emulator.open()) {
      CudaDevice device = open(emulator);
      Client client = new Client(kind.on(device));
      emulator.fail(call, nth, result);
      client.work();
      assertThat(client.errors)
          .allSatisfy(e -> assertThat(e.getMessage()).contains(call).contains("CUDA_ERROR_"));
      client.work();
      device.close();
      assertEquals(
          0, emulator.usedBytes(), () -> "call " + nth + " of " + call + " returning " + result);
      other.memory().free(other.memory().allocate(DEVICE_BYTES));
    }
  }

  @TestFactory
  Stream<DynamicTest> lostDeviceStaysLost() {
    return Stream.of(Kind.values())
        .map(
            kind ->
                DynamicTest.dynamicTest(
                    kind.toString(),
                    () -> {
                      long calls = callsWithoutFaults(kind, null);
                      for (long nth = 1; nth <= calls; nth += 7) {
                        lost(kind, nth);
                      }
                    }));
  }

  private static void lost(Kind kind, long nth) {
    CudaEmulator emulator = CudaEmulator.ofBytes(DEVICE_BYTES).manual();
    CudaDevice device = open(emulator);
    Client client = new Client(kind.on(device));
    emulator.lose(null, nth, ILLEGAL_ADDRESS);
    client.work();
    client.allocate(100 * MIB, 0);
    String reason = device.lossReason();
    assertNotNull(reason, () -> kind + " made fewer than " + nth + " calls");
    assertThat(reason).contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)").contains("restart");
    long calls = emulator.calls(null);
    DeviceLostException again =
        assertThrows(DeviceLostException.class, () -> device.memory().allocate(MIB));
    assertEquals(reason, again.getMessage(), "the first reason");
    assertEquals(calls, emulator.calls(null), "the driver is not called again");
    device.close();
  }
}
