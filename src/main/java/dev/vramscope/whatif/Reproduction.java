package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.Fidelity.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The replay of a recording under its own settings: what it has to start from, and how exact it is.
 *
 * @param settings the settings of the recording
 * @param initial the state before the first event
 * @param fidelity the comparison with the recording
 */
public record Reproduction(RecordedSettings settings, InitialState initial, Fidelity fidelity) {
  /** Each round learns from the differences of the one before it. */
  private static final int MAX_ROUNDS = 24;

  private static final int MAX_REPLAYED_ROWS = 8_000_000;

  /** Many times what a long recording takes. One that is made to take longer is not compared. */
  private static final Duration MOST_TIME = Duration.ofSeconds(20);

  /**
   * Replays the recording of one device of a caching allocator.
   *
   * @throws ReplayLimitException if it is too large to be replayed
   */
  public static Reproduction of(Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes) {
    RecordedSettings settings = RecordedSettings.of(snapshot, device);
    long deviceBytes = device.facts().deviceBytes().orElse(ScriptedDevice.UNKNOWN_TOTAL_BYTES);
    StreamNumbers streams = new StreamNumbers(device);
    ReplayLimits.DEFAULT.checkState(device);
    ReplayLimits.DEFAULT.checkStreams(streams.count());
    InitialState initial =
        InitialLayout.of(device, lifetimes, streams, settings.sizes(), deviceBytes);
    Progress progress = new Progress(MOST_TIME);
    Reproduction best = null;
    for (TieBreak tieBreak : settings.tieBreaks()) {
      Reproduction candidate =
          new Reproducing(device, streams, settings, deviceBytes, progress).run(tieBreak, initial);
      if (best == null || candidate.fidelity.isCloserThan(best.fidelity)) {
        best = candidate;
      }
      if (best.fidelity.isExact() || progress.isOver()) {
        break;
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("The settings name no rule for equal blocks.");
    }
    return best;
  }

  private record Reproducing(
      DeviceSnapshot device,
      StreamNumbers streams,
      RecordedSettings settings,
      long deviceBytes,
      Progress progress) {
    Reproduction run(TieBreak tieBreak, InitialState assumed) {
      StartEvidence evidence = new StartEvidence(assumed);
      Reproduction best = replay(tieBreak, assumed, evidence);
      int rounds = Math.clamp(MAX_REPLAYED_ROWS / (1 + device.rowCount()), 1, MAX_ROUNDS);
      for (int round = 1;
          round < rounds && !best.fidelity.isExact() && evidence.hasLearned() && !progress.isOver();
          round++) {
        Reproduction next = replay(tieBreak, evidence.next(), evidence);
        best = next.fidelity.isCloserThan(best.fidelity) ? next : best;
      }
      return best;
    }

    private Reproduction replay(TieBreak tieBreak, InitialState initial, StartEvidence evidence) {
      FollowingReplay replay =
          new FollowingReplay(device, streams, initial, settings, tieBreak, deviceBytes, evidence);
      replay.run(progress);
      List<String> notes = new ArrayList<>(settings.notes());
      notes.addAll(replay.notes());
      if (settings.tieBreaks().size() > 1) {
        notes.add(
            "The file does not show whether it was written by PyTorch 2.14 or later; of equal free"
                + " blocks, the one "
                + (tieBreak == TieBreak.ADDRESS ? "at the lowest address" : "in the oldest segment")
                + " is used first.");
      }
      if (tieBreak == TieBreak.ADDRESS) {
        notes.add(
            "Where several free blocks are equal, this release uses the one at the lowest address."
                + " Replays without expandable segments assign addresses as NVIDIA’s driver does on"
                + " Linux; where it did otherwise, blocks lie elsewhere and their numbers differ"
                + " slightly.");
      }
      notes.addAll(notes(initial));
      if (replay.placements() == 0) {
        notes.add("The recording has no allocation to compare with a replay.");
      }
      Fidelity fidelity =
          new Fidelity(
              replay.segments().compared(),
              replay.segments().reproduced(),
              replay.placements() + replay.servedFailures(),
              replay.reproducedPlacements(),
              initial.isEmpty() ? Start.WHOLE_RUN : Start.RECONSTRUCTED,
              tieBreak,
              notes);
      return new Reproduction(settings, initial, fidelity);
    }

    private static List<String> notes(InitialState initial) {
      List<String> notes = new ArrayList<>();
      if (!initial.isEmpty()) {
        notes.add(
            String.format(
                Locale.ROOT,
                "The recording begins in mid-run: the state before its first event, %,d segments"
                    + " with %,d blocks in use, was reconstructed from the final state.",
                initial.segments().size(),
                initial.activeBlocks()));
        notes.add(
            "Replays under other settings than the recorded ones are estimates: the memory that the"
                + " whole run would have held under them before the first event is not recorded.");
      }
      if (!initial.uncertainEnds().isEmpty()) {
        notes.add(
            String.format(
                Locale.ROOT,
                "Of %,d of these blocks only the requested size is known; together they may be up"
                    + " to %,d bytes longer than assumed.",
                initial.uncertainEnds().size(),
                initial.uncertainBytes()));
      }
      if (initial.droppedSegments() > 0) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%,d segments contradict the events and were left out.",
                initial.droppedSegments()));
      }
      return notes;
    }
  }
}
