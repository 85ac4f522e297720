package dev.vramscope.budget;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;

/** The budgets of a recorded snapshot with one device. */
final class RecordedBudget {
  final DeviceSnapshot device;
  final Lifetimes lifetimes;
  final Uses uses;
  final StackClasses stacks;
  private final ActiveBytes active;
  private final SizeRules sizes;

  RecordedBudget(Snapshot snapshot, DeviceSnapshot device) {
    this.device = device;
    lifetimes = Lifetimes.of(device);
    active = ActiveBytes.of(device, lifetimes);
    stacks = FrameRules.standard().classify(snapshot.stacks());
    sizes = SizeRules.of(snapshot.settings());
    uses = Uses.of(lifetimes, stacks, device.trace().userMetadata());
  }

  static RecordedBudget of(Path file) {
    Snapshot snapshot = read(file);
    return new RecordedBudget(snapshot, snapshot.devices().getFirst());
  }

  static Snapshot read(Path file) {
    try (InputStream in = Files.newInputStream(file);
        InputStream unpacked = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return TorchPickleReader.read(unpacked, ReadLimits.defaults());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FormatException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  Budget at(Moment moment, OptionalLong totalBytes) {
    RecordedDevice recorded = new RecordedDevice(device, active, totalBytes);
    return switch (moment) {
      case FAILURE -> {
        var oom = device.trace().ooms().getFirst();
        yield budget(
            moment, state(oom.event()), recorded.atFailure(oom), device.trace().stack(oom.event()));
      }
      case PEAK -> budget(moment, state(active.peakEvent()), recorded.at(active.peakEvent()), 0);
      case END -> budget(moment, AllocatorState.end(device), recorded.atEnd(), 0);
    };
  }

  /** The budget after an event. */
  Budget after(int event, OptionalLong totalBytes) {
    RecordedDevice recorded = new RecordedDevice(device, active, totalBytes);
    return budget(Moment.PEAK, state(event), recorded.at(event), 0);
  }

  private AllocatorState state(int event) {
    return AllocatorState.at(device, lifetimes, sizes, event);
  }

  private Budget budget(
      Moment moment, AllocatorState state, Ledger.DeviceMemory memory, int failedStack) {
    return Budget.of(
        moment, state, Ledger.of(state, sizes, memory), lifetimes, stacks, uses, failedStack);
  }
}
