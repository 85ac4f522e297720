package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import java.util.function.LongSupplier;

/**
 * How every change of a hosted allocator is made: through its gate, and with what goes wrong put on
 * record, on the thread that it happens to and before its caller is told. So the state that is
 * stored as evidence is the one that the failure met.
 */
final class OperationGuard {
  private final ShutdownGate gate;
  private final Incidents incidents;

  OperationGuard(ShutdownGate gate, Incidents incidents) {
    this.gate = gate;
    this.incidents = incidents;
  }

  ShutdownGate gate() {
    return gate;
  }

  void run(Runnable change) {
    get(
        () -> {
          change.run();
          return 0;
        });
  }

  long get(LongSupplier change) {
    long stamp = gate.enter();
    try {
      return change.getAsLong();
    } catch (OutOfDeviceMemoryException failure) {
      incidents.outOfMemory(failure);
      throw failure;
    } catch (DeviceException failure) {
      report(failure);
      throw failure;
    } finally {
      gate.leave(stamp);
    }
  }

  /** Puts a fault of the card on record, and shuts the gate if the card is lost. Once is enough. */
  void report(DeviceException failure) {
    boolean news =
        !(failure instanceof DeviceLostException)
            || gate.lose(String.valueOf(failure.getMessage()));
    if (news) {
      incidents.fault(failure);
    }
  }
}
