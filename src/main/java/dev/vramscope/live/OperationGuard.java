package dev.vramscope.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceLostException;
import java.util.function.LongSupplier;

/**
 * Runs the operations of a hosted allocator: each passes the shutdown gate, and its failure is
 * recorded as an incident on the same thread before the caller receives the exception. The stored
 * snapshot thus shows the state at the time of the failure.
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

  void run(Runnable operation) {
    get(
        () -> {
          operation.run();
          return 0;
        });
  }

  long get(LongSupplier operation) {
    long stamp = gate.enter();
    try {
      return operation.getAsLong();
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

  /**
   * Records a failure of the device, and closes the gate if the device is lost. A loss is recorded
   * once.
   */
  void report(DeviceException failure) {
    boolean isFirst =
        !(failure instanceof DeviceLostException)
            || gate.closeAsLost(String.valueOf(failure.getMessage()));
    if (isFirst) {
      incidents.fault(failure);
    }
  }
}
