package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.HighWaterMark;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.SmallestDeviceBySettings;
import dev.vramscope.postmortem.explanation.Target.Section.Name;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The first screen of a run without a failure: how close it came to one, who held the memory at the
 * peak, and on how small a device it would still have fitted.
 *
 * @param howClose the peak beside the device
 * @param whatHolds the lines of code that held most of the peak
 * @param smallestDevice what a smaller device would need
 */
public record HealthyRun(Sentence howClose, Sentence whatHolds, Sentence smallestDevice) {
  private static final int SITES = 3;

  /**
   * The explanation of a run in which no request failed.
   *
   * @param totalBytes the size of the device, if it is known
   * @param replayed on how small a device replays fit; empty if there are none yet
   * @param steps how the steps were found at which a replay empties the cache
   */
  public static HealthyRun of(
      DeviceSnapshot device,
      Lifetimes lifetimes,
      ActiveBytes active,
      HighWaterMark peak,
      StackClasses stacks,
      OptionalLong totalBytes,
      Optional<SmallestDeviceBySettings> replayed,
      Steps.Source steps) {
    HeldSites held = HeldSites.at(lifetimes, stacks, peak.event(), SITES);
    OptionalLong reserved = reserved(device, active);
    return new HealthyRun(
        howClose(peak, reserved, totalBytes),
        new HoldersSentence(held, new CodeLines(stacks), device.facts(), held.bytes(), 0)
            .at("At the peak"),
        replayed
            .map(devices -> smallest(devices, peak, steps))
            .orElseGet(() -> smallest(peak, reserved)));
  }

  /** The most that was reserved; empty if neither the events nor the state have segments. */
  private static OptionalLong reserved(DeviceSnapshot device, ActiveBytes active) {
    if (active.isReservedKnown() && active.peakReservedBytes() >= 0) {
      return OptionalLong.of(active.peakReservedBytes());
    }
    return device.segments().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(device.segments().stream().mapToLong(segment -> segment.bytes()).sum());
  }

  private static Sentence howClose(
      HighWaterMark peak, OptionalLong reserved, OptionalLong totalBytes) {
    Sentence.Builder text =
        Sentence.of("No request failed in this recording. At its ").term("peak", "peak");
    text.words(", the program held ");
    if (peak.event() >= 0) {
      text.bytes(peak.bytes(), new Target.Event(peak.event()));
    } else {
      text.bytes(peak.bytes());
    }
    if (reserved.isEmpty()) {
      return text.words(". The recording does not contain what the allocator reserved for it.")
          .build();
    }
    text.words("; the allocator ").term("reserved", "reserved").words(" at most ");
    text.bytes(reserved.getAsLong(), Name.LEDGER);
    if (totalBytes.isPresent() && totalBytes.getAsLong() > 0) {
      long total = totalBytes.getAsLong();
      text.words(" of the GPU's ")
          .bytes(total, Name.LEDGER)
          .words(String.format(Locale.ROOT, " (%.0f %%)", 100.0 * reserved.getAsLong() / total))
          .words(", so ")
          .bytes(Math.max(0, total - reserved.getAsLong()))
          .words(" was left");
    } else {
      text.words(". The recording does not contain the size of the GPU");
    }
    return text.words(".").build();
  }

  /** Bounds by arithmetic: what was reserved is enough, and what was held is needed. */
  private static Sentence smallest(HighWaterMark peak, OptionalLong reserved) {
    if (reserved.isEmpty()) {
      return Sentence.of("No setting can make it fit into less than ")
          .bytes(peak.bytes())
          .words(", which it held at the peak; how much more it needs is unknown.")
          .build();
    }
    return Sentence.of("As it ran, ")
        .bytes(reserved.getAsLong())
        .words(
            " of free memory is enough for this program. No setting can make it fit into less"
                + " than ")
        .bytes(peak.bytes())
        .words(", which it held at the peak. ")
        .link("Replays", new Target.Settings(""))
        .words(" show where between the two each setting is.")
        .build();
  }

  private static Sentence smallest(
      SmallestDeviceBySettings devices, HighWaterMark peak, Steps.Source steps) {
    Sentence.Builder text =
        Sentence.of(devices.isEstimated() ? "By estimate, it" : "It")
            .words(" would still have fitted into ")
            .bytes(devices.recorded().bytes(), new Target.Section(Name.SMALLER_DEVICES))
            .words(" of free GPU memory with its own settings");
    devices
        .best()
        .ifPresentOrElse(
            best -> {
              text.words(", and into ")
                  .bytes(best.bytes(), new Target.Section(Name.SMALLER_DEVICES))
                  .words(" with ");
              if (best.isEmptiedEachStep()) {
                text.code("torch.cuda.empty_cache()").words(" at the start of each step");
                text.words(steps.isGuessed() ? " (the steps are a guess)" : "");
              } else {
                text.code(best.settings(), new Target.Settings(best.settings()));
              }
            },
            () -> text.words(", and none of the tried settings needs less"));
    return text.words(". No setting can make it fit into less than ")
        .bytes(peak.bytes())
        .words(", which it held at the peak.")
        .build();
  }

  /** The three texts in reading order. */
  public List<Sentence> sentences() {
    return List.of(howClose, whatHolds, smallestDevice);
  }
}
