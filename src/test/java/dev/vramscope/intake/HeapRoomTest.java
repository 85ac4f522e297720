package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeapRoomTest {
  private static final long MIB = 1 << 20;

  @Test
  void aFileThatNeedsMoreThanThereIsGetsAllOfIt() {
    HeapRoom room = new HeapRoom(600 * MIB);
    assertEquals(600, room.need(2000 * MIB));
    assertEquals(150, room.need(100 * MIB));
    assertEquals(120, room.need(10 * MIB));
    assertEquals(8, room.need(0));
  }

  @Test
  void aSecondFileWaitsUntilThereIsRoom() throws Exception {
    HeapRoom room = new HeapRoom(100 * MIB);
    AtomicInteger reading = new AtomicInteger();
    Thread second;
    try (HeapRoom.Lease _ = room.take(1000 * MIB)) {
      second =
          Thread.startVirtualThread(
              () -> {
                try (HeapRoom.Lease _ = room.take(0)) {
                  reading.incrementAndGet();
                } catch (InterruptedException unexpected) {
                  reading.set(-1);
                }
              });
      assertFalse(second.join(Duration.ofMillis(100)));
      assertEquals(0, reading.get());
    }
    assertTrue(second.join(Duration.ofMinutes(1)));
    assertEquals(1, reading.get());
  }
}
