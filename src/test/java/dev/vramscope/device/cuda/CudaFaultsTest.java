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

/** Any call of the driver fails: the error is clear, the books are right, nothing is kept. */
class CudaFaultsTest {
  private static final long MIB = 1L << 20;
  private static final long CARD_BYTES = 128 * MIB;
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;

  /** Each of the first calls, then ever fewer. */
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
                new BfcOptions("GPU_0_bfc", CARD_BYTES, true, true, true, 0, false),
                new MemorySubAllocator(device.memory()));
        case DIRECT -> new DirectAllocator(device);
      };
    }
  }

  /** A client of an allocator that goes on when something fails. */
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
        // An answer like any other.
      }
      allocator.checkInvariants();
    }

    private void allocate(long bytes, int stream) {
      attempt(() -> blocks.add(allocator.allocate(bytes, stream)));
    }

    /** Streams, reuse, growth, a full card, what is freed while another stream uses it. */
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

    /** A block is gone for its client even if freeing it met an error. */
    private void free(int count) {
      for (int i = 0; i < count; i++) {
        long block = blocks.removeFirst();
        attempt(() -> allocator.free(block));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> aRefusedCallIsToldAndForgotten() {
    return Stream.of(Kind.values()).flatMap(kind -> CALLS.stream().map(call -> test(kind, call)));
  }

  private static DynamicTest test(Kind kind, String call) {
    return DynamicTest.dynamicTest(
        kind + " " + call,
        () -> {
          long calls = callsWithoutFaults(kind, call);
          for (long nth = 1; nth <= calls; nth += nth < FIRST_CALLS ? 1 : nth / 3) {
            refused(kind, call, nth, INVALID_VALUE);
            refused(kind, call, nth, OUT_OF_MEMORY);
          }
        });
  }

  private static long callsWithoutFaults(Kind kind, @Nullable String call) {
    CudaEmulator emulator = CudaEmulator.card(CARD_BYTES).manual();
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

  private static void refused(Kind kind, String call, long nth, int result) {
    CudaEmulator emulator = CudaEmulator.card(CARD_BYTES).manual();
    // Another user of the card: what we do not give back is not given back for us.
    try (CudaDevice witness = emulator.open()) {
      CudaDevice device = open(emulator);
      Client client = new Client(kind.on(device));
      emulator.fail(call, nth, result);
      client.work();
      assertThat(client.errors)
          .allSatisfy(e -> assertThat(e.getMessage()).contains(call).contains("CUDA_ERROR_"));
      client.work();
      device.close();
      assertEquals(0, emulator.usedBytes(), () -> nth + ". " + call + " answering " + result);
      witness.memory().free(witness.memory().allocate(CARD_BYTES));
    }
  }

  @TestFactory
  Stream<DynamicTest> aLostCardIsLostForGood() {
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
    CudaEmulator emulator = CudaEmulator.card(CARD_BYTES).manual();
    CudaDevice device = open(emulator);
    Client client = new Client(kind.on(device));
    emulator.lose(null, nth, ILLEGAL_ADDRESS);
    client.work();
    client.allocate(100 * MIB, 0);
    String loss = device.loss();
    assertNotNull(loss, () -> kind + " made less than " + nth + " calls");
    assertThat(loss).contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)").contains("restart");
    long calls = emulator.calls(null);
    DeviceLostException again =
        assertThrows(DeviceLostException.class, () -> device.memory().allocate(MIB));
    assertEquals(loss, again.getMessage(), "the first reason");
    assertEquals(calls, emulator.calls(null), "the driver is not asked again");
    device.close();
  }
}
