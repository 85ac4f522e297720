package dev.vramscope.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownGateTest {
  private final ShutdownGate gate = new ShutdownGate(7);

  @Test
  void openGateAdmitsSeveralOperations() {
    long one = gate.enter();
    long other = gate.enter();
    gate.leave(one);
    gate.leave(other);
    assertTrue(gate.state().isOpen());
  }

  @Test
  void closingWaitsForTheLastOperationAndRejectsTheNext() throws Exception {
    long inside = gate.enter();
    CompletableFuture<HostedState> closed = CompletableFuture.supplyAsync(gate::close);
    while (gate.state().isOpen()) {
      Thread.onSpinWait();
    }
    // Rejected immediately, without waiting for the operation in progress.
    AllocatorGoneException gone = assertThrows(AllocatorGoneException.class, gate::enter);
    assertThat(gone).hasMessage("Allocator 7 was closed");
    assertFalse(closed.isDone());
    gate.leave(inside);
    assertEquals(new HostedState.Open(), closed.get(10, TimeUnit.SECONDS));
  }

  @Test
  void lostDeviceIsReportedOnceAndCanBeClosed() {
    assertTrue(gate.closeAsLost("ECC"));
    assertFalse(gate.closeAsLost("later"));
    AllocatorGoneException gone = assertThrows(AllocatorGoneException.class, gate::enter);
    assertThat(gone).hasMessage("Allocator 7 lost its device: ECC");
    assertTrue(gone.isLost());
    assertEquals(new HostedState.Lost("ECC"), gate.close());
    assertFalse(assertThrows(AllocatorGoneException.class, gate::enter).isLost());
  }
}
