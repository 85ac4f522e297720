package dev.vramscope.web.compiled;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.Donations;
import dev.vramscope.compiled.MemoryUses;
import dev.vramscope.compiled.PeakMoment;
import dev.vramscope.web.display.DisplayFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a compiled program needs, in sentences. Nothing is said that no text states. */
final class ProgramAnswer {
  private static final DisplayFormat FORMAT = new DisplayFormat();

  private ProgramAnswer() {}

  static List<String> of(
      CompiledProgram program, MemoryUses parts, Optional<PeakMoment> peak, Donations donations) {
    List<String> sentences = new ArrayList<>();
    if (!parts.rows().isEmpty()) {
      sentences.add(forecast(parts));
    }
    peak.ifPresent(moment -> sentences.add(peak(moment)));
    donation(program, parts, donations, sentences);
    program
        .statistics()
        .filter(statistics -> statistics.hasWrongPeak())
        .ifPresent(
            statistics ->
                sentences.add(
                    "memory_analysis() states peak_memory_in_bytes as "
                        + FORMAT.bytes(statistics.of("peak_memory").orElse(0))
                        + ", less than the temporary memory or the arguments alone: on this"
                        + " platform it is not the peak, and it is not used here."));
    if (sentences.isEmpty()) {
      sentences.add("These texts state no bytes of allocations; the files below would.");
    }
    return sentences;
  }

  private static String forecast(MemoryUses parts) {
    long own = parts.ownBytes();
    String beside =
        parts.callerBytes() > 0
            ? " beside its arguments of " + FORMAT.bytes(parts.callerBytes())
            : "";
    return "The program needs "
        + FORMAT.bytes(own)
        + beside
        + ": "
        + FORMAT.bytes(parts.bytes(AllocationUse.TEMPORARY))
        + " of temporary memory and "
        + FORMAT.bytes(own - parts.bytes(AllocationUse.TEMPORARY))
        + " of outputs"
        + (parts.isOfAssignment() ? ", constants and memory of threads. " : ". ")
        + FORMAT.bytes(parts.totalBytes())
        + " together, each time it runs.";
  }

  private static String peak(PeakMoment peak) {
    long free = peak.temporaryBytes() - peak.occupiedBytes();
    return "Most is live at position "
        + FORMAT.count(peak.position())
        + (peak.instruction().isEmpty() ? "" : " (" + peak.instruction() + ")")
        + ": "
        + FORMAT.bytes(peak.distinctBytes())
        + " in "
        + FORMAT.counted(peak.buffers().size(), "buffer")
        + (peak.distinctBytes() < peak.bytes()
            ? " (" + FORMAT.bytes(peak.bytes()) + " if bytes that buffers share count for each)"
            : "")
        + ". "
        + (free == 0
            ? "All of the temporary memory is used there."
            : FORMAT.bytes(free)
                + " of the temporary memory is free there, because buffers are aligned, or"
                + " other positions need other places.");
  }

  private static void donation(
      CompiledProgram program, MemoryUses parts, Donations donations, List<String> sentences) {
    long aliased = parts.bytes(AllocationUse.ALIASED);
    if (donations.donatedBytes() > 0 || aliased > 0) {
      long bytes = donations.isKnown() ? donations.donatedBytes() : aliased;
      sentences.add(
          FORMAT.bytes(bytes)
              + " of the outputs are written to the memory of donated arguments"
              + (donations.isKnown()
                  ? " (" + FORMAT.counted(donations.donated().size(), "argument") + ")"
                  : "")
              + ". Without donation they would need as much memory of their own; temporary memory"
              + " may then be less, because the compiler also uses donated memory for it.");
    }
    if (donations.candidateBytes() > 0) {
      sentences.add(
          FORMAT.counted(donations.candidates().size(), "argument")
              + " of "
              + FORMAT.bytes(donations.candidateBytes())
              + (donations.candidates().size() == 1 ? " has" : " have")
              + " the type and shape of an output and "
              + (donations.candidates().size() == 1 ? "is" : "are")
              + " not donated. Estimated: with donation up to "
              + FORMAT.bytes(donations.candidateBytes())
              + " less. Only the programmer can decide it: the caller must not use a donated array"
              + " after the call.");
    } else if (!donations.isKnown() && program.statistics().isPresent() && aliased == 0) {
      sentences.add(
          "No output shares memory with an argument: nothing is donated. The text of the program"
              + " would show which arguments could be.");
    }
  }
}
