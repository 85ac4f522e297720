package dev.vramscope.web.compiled;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.Donations;
import dev.vramscope.compiled.LiveRanges.Range;
import dev.vramscope.compiled.MemoryStatistics;
import dev.vramscope.compiled.MemoryUses;
import dev.vramscope.compiled.Padding;
import dev.vramscope.compiled.PeakMoment;
import dev.vramscope.compiled.ProgramFile;
import dev.vramscope.compiled.ProgramInstruction;
import dev.vramscope.model.finding.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one program, as a page and REST say it. Bytes that no text states are null.
 *
 * @param answer in sentences
 * @param parts add up to {@code totalBytes}
 * @param totalBytes arguments, outputs, temporary memory, constants; what is aliased counts once
 * @param ownBytes the total less the arguments
 * @param statistics of {@code memory_analysis()}, as they are printed
 * @param flops of {@code cost_analysis()}
 * @param missing what other files would add
 */
public record ProgramView(
    String name,
    List<String> answer,
    List<ProgramPart> parts,
    @Nullable Long totalBytes,
    @Nullable Long ownBytes,
    Map<String, Long> statistics,
    @Nullable Double flops,
    @Nullable Peak peak,
    @Nullable Donation donation,
    List<Missing> missing,
    List<Finding> findings) {
  /** Buffers of the peak in an answer; the largest. */
  private static final int MOST = 200;

  /**
   * A use of memory.
   *
   * @param memorySpace 0 is the device
   * @param allocations null if they are not known one by one
   */
  public record ProgramPart(
      AllocationUse use,
      String label,
      int memorySpace,
      long bytes,
      @Nullable Long allocations,
      String source) {}

  /**
   * The position where most bytes are live.
   *
   * @param bytes the sum of the buffers, as XLA counts it
   * @param distinctBytes of memory: some buffers share bytes
   * @param bufferCount all that are live; {@code buffers} are the largest
   * @param freeTemporaryBytes temporary memory that no buffer uses at this position
   * @param paddingBytes of these buffers, beyond their elements; null if no shape states them
   */
  public record Peak(
      int position,
      String instruction,
      long bytes,
      long distinctBytes,
      boolean isStated,
      int bufferCount,
      List<Buffer> buffers,
      long temporaryBytes,
      long freeTemporaryBytes,
      @Nullable Long paddingBytes,
      boolean isTiled) {}

  /** A buffer that is live at the peak. */
  public record Buffer(
      String instruction,
      String shape,
      long bytes,
      AllocationUse use,
      String operation,
      String source,
      int from,
      int to) {}

  /** What is donated, and what could be. */
  public record Donation(
      List<Donations.Argument> donated,
      long donatedBytes,
      List<Donations.Argument> candidates,
      long candidateBytes) {}

  /** A text that is not here, and what it would add. */
  public record Missing(String file, String adds) {}

  static ProgramView of(CompiledProgram program) {
    return of(program, PeakMoment.of(program));
  }

  static ProgramView of(CompiledProgram program, Optional<PeakMoment> peak) {
    MemoryUses parts = MemoryUses.of(program);
    Donations donations = Donations.of(program);
    boolean hasParts = !parts.rows().isEmpty();
    OptionalDouble flops = program.flops();
    return new ProgramView(
        program.name(),
        ProgramAnswer.of(program, parts, peak, donations),
        parts.rows().stream().map(ProgramView::part).toList(),
        hasParts ? (Long) parts.totalBytes() : null,
        hasParts ? (Long) parts.ownBytes() : null,
        program.statistics().map(MemoryStatistics::bytes).orElse(Map.of()),
        flops.isPresent() ? (Double) flops.getAsDouble() : null,
        peak.map(moment -> peak(program, moment)).orElse(null),
        donations.isKnown() ? donation(donations) : null,
        program.missingFiles().stream().map(ProgramView::missing).toList(),
        program.findings());
  }

  private static ProgramPart part(MemoryUses.Row row) {
    return new ProgramPart(
        row.use(),
        row.use().label(),
        row.memorySpace(),
        row.bytes(),
        row.count() == 0 ? null : (Long) row.count(),
        row.source());
  }

  private static Missing missing(ProgramFile file) {
    return new Missing(file.label(), file.adds());
  }

  private static Donation donation(Donations donations) {
    return new Donation(
        donations.donated(),
        donations.donatedBytes(),
        donations.candidates(),
        donations.candidateBytes());
  }

  private static Peak peak(CompiledProgram program, PeakMoment peak) {
    Optional<Padding> padding =
        Padding.of(peak.buffers().stream().map(PeakMoment.LiveBuffer::buffer).toList());
    OptionalLong bytes =
        padding.isPresent() ? OptionalLong.of(padding.get().paddingBytes()) : OptionalLong.empty();
    return new Peak(
        peak.position(),
        peak.instruction(),
        peak.bytes(),
        peak.distinctBytes(),
        peak.isStated(),
        peak.buffers().size(),
        peak.buffers().stream().limit(MOST).map(each -> buffer(program, each)).toList(),
        peak.temporaryBytes(),
        peak.temporaryBytes() - peak.occupiedBytes(),
        bytes.isPresent() ? (Long) bytes.getAsLong() : null,
        padding.map(Padding::isTiled).orElse(false));
  }

  private static Buffer buffer(CompiledProgram program, PeakMoment.LiveBuffer live) {
    Optional<ProgramInstruction> instruction = program.instruction(live.buffer().instruction());
    Range range = live.range();
    return new Buffer(
        live.buffer().key().endsWith("{}") ? live.buffer().instruction() : live.buffer().key(),
        live.buffer().shape(),
        live.buffer().bytes(),
        live.use(),
        instruction.map(ProgramInstruction::operation).orElse(""),
        instruction.flatMap(each -> each.source().stream().findFirst()).orElse(""),
        range.start(),
        range.end());
  }
}
