package dev.vramscope.inspection;

import dev.vramscope.analysis.diff.DeviceMoment;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.LiveMemory;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.budget.Budget;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a device at the moments of its recording. What the file does not say about the
 * device can be known besides: the {@link DeviceEvidence} of each question.
 */
public final class DeviceMoments {
  private final DeviceInspection inspection;
  private final DeviceSnapshot device;

  DeviceMoments(DeviceInspection inspection) {
    this.inspection = inspection;
    device = inspection.device();
  }

  /** Segments and blocks after an event. */
  public AllocatorState state(int event) {
    return AllocatorState.at(device, inspection.lifetimes(), inspection.sizes(), event);
  }

  /** The ledger at the end. */
  public Ledger ledger(DeviceEvidence evidence) {
    return ledger(
        inspection.endState(),
        active().eventCount() - 1,
        inspection.recordedDevice(evidence).atEnd());
  }

  /** The ledger after an event. */
  public Ledger ledger(int event, DeviceEvidence evidence) {
    if (event == device.trace().size() - 1) {
      return ledger(evidence);
    }
    RecordedDevice recorded = inspection.recordedDevice(evidence);
    DeviceMemory memory =
        inspection.ooms().stream()
            .filter(oom -> oom.event() == event)
            .findFirst()
            .map(recorded::atFailure)
            .orElseGet(() -> recorded.at(event));
    return ledger(state(event), event, memory);
  }

  /** The device after an event, to be compared with another one. */
  public DeviceMoment compared(int event) {
    return new DeviceMoment(inspection.lifetimes(), active(), inspection.stacks(), event);
  }

  /** The moments that have a budget, in order of interest. */
  public List<Moment> withBudget() {
    List<Moment> moments = new ArrayList<>();
    if (!inspection.ooms().isEmpty()) {
      moments.add(Moment.FAILURE);
    }
    if (inspection.hasEvents()) {
      moments.add(Moment.PEAK);
    }
    moments.add(Moment.END);
    return moments;
  }

  /**
   * What the memory is used for at a moment.
   *
   * @param moment one of {@link #withBudget}
   * @param n the index of the failure, for {@link Moment#FAILURE}
   */
  public Budget budget(Moment moment, int n, DeviceEvidence evidence) {
    RecordedDevice recorded = inspection.recordedDevice(evidence);
    return switch (moment) {
      case FAILURE -> {
        OomEvent oom = inspection.ooms().get(n);
        yield budget(moment, state(oom.event()), recorded.atFailure(oom), oom);
      }
      case PEAK -> {
        int peak = active().peakEvent();
        yield budget(moment, state(peak), recorded.at(peak), null);
      }
      case END -> budget(moment, inspection.endState(), recorded.atEnd(), null);
    };
  }

  private Budget budget(
      Moment moment, AllocatorState at, DeviceMemory memory, @Nullable OomEvent failed) {
    return Budget.of(
        moment,
        at,
        ledger(at, at.event(), memory),
        inspection.lifetimes(),
        inspection.stacks(),
        inspection.uses(),
        failed == null ? StackTable.NONE : device.trace().stack(failed.event()));
  }

  private Ledger ledger(AllocatorState state, int event, DeviceMemory memory) {
    return Ledger.of(device, state, LiveMemory.at(active(), event), inspection.sizes(), memory);
  }

  private ActiveBytes active() {
    return inspection.active();
  }
}
