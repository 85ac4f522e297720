package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;

/**
 * What the trace of a device says about the time that it covers, each part computed on first use.
 * Thread-safe.
 */
public final class RecordedHistory {
  private final Lazy<Lifetimes> lifetimes;
  private final Lazy<ActiveBytes> active;
  private final Lazy<Steps> steps;

  private RecordedHistory(StackTable stacks, DeviceSnapshot device) {
    lifetimes = new Lazy<>(() -> Lifetimes.of(device));
    active = new Lazy<>(() -> ActiveBytes.of(device, lifetimes()));
    steps = new Lazy<>(() -> Steps.of(stacks, device, active()));
  }

  /**
   * The history of one device.
   *
   * @param stacks of its snapshot
   */
  public static RecordedHistory of(StackTable stacks, DeviceSnapshot device) {
    return new RecordedHistory(stacks, device);
  }

  public Lifetimes lifetimes() {
    return lifetimes.get();
  }

  public ActiveBytes active() {
    return active.get();
  }

  public Steps steps() {
    return steps.get();
  }
}
