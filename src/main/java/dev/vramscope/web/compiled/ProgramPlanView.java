package dev.vramscope.web.compiled;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.scaling.ByteEstimate;
import dev.vramscope.compiled.scaling.LargestSize;
import dev.vramscope.compiled.scaling.ProgramPlan;
import dev.vramscope.compiled.scaling.SizedProgram;
import dev.vramscope.compiled.scaling.UseTrend;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What compiled programs say about other values of their parameter. Bytes are predicted, except at
 * the values of the programs.
 *
 * @param name of the parameter
 * @param answer in sentences
 * @param programs by ascending value
 * @param at the values that were asked, ascending; twice and four times the largest without any
 * @param largest null if no memory was given
 * @param checks what was checked and what was not, in sentences
 * @param notes what speaks against an answer, in sentences
 */
public record ProgramPlanView(
    String name,
    List<String> answer,
    List<Program> programs,
    List<Use> uses,
    List<Prediction> at,
    @Nullable Largest largest,
    List<String> checks,
    List<String> notes,
    String notCounted) {
  static final String NOT_COUNTED =
      "Not counted: arrays of other programs, and what fragmentation of the pool takes. By default"
          + " JAX's pool has 75 % of the device (XLA_CLIENT_MEM_FRACTION), so this is the memory to"
          + " compare with, not all of the device.";

  /** A program with the value that it was compiled for. */
  @Schema(name = "ProgramPlanProgram")
  public record Program(
      String upload,
      int number,
      String name,
      long value,
      long bytes,
      long temporaryBytes,
      long argumentBytes) {}

  /**
   * A use of memory, or the whole program if {@code use} is null.
   *
   * @param basis how the law was found; null for the whole program
   * @param residualBytes the most that the law differs from stated bytes
   * @param heldOutBytes the most that a prediction of a program by others differs; null if there
   *     are too few programs to tell
   * @param statedBytes by program
   * @param at the values that were asked
   */
  @Schema(name = "ProgramPlanUse")
  public record Use(
      @Nullable AllocationUse use,
      String label,
      UseTrend.@Nullable Basis basis,
      String basisLabel,
      long residualBytes,
      @Nullable Long heldOutBytes,
      List<Long> statedBytes,
      List<Bytes> at) {}

  /**
   * Bytes, which may be off.
   *
   * @param bytes null if no law fits
   */
  @Schema(name = "ProgramPlanBytes")
  public record Bytes(@Nullable Long bytes, long leastBytes, long mostBytes) {
    @JsonIgnore
    public boolean isRange() {
      return leastBytes != mostBytes;
    }
  }

  /**
   * All bytes of the program at a value.
   *
   * @param times the value as a multiple of the nearest program's
   * @param fits whether it fits the memory; null if no memory is given, or if the range decides it
   */
  @Schema(name = "ProgramPlanPrediction")
  public record Prediction(
      long value,
      ProgramPlan.Place place,
      ProgramPlan.Certainty certainty,
      double times,
      Bytes bytes,
      @Nullable Boolean fits) {}

  /**
   * The largest value that fits.
   *
   * @param value null if no law fits, or if none or every value fits
   * @param least the largest that fits if programs need the most that they may; 0 for none
   * @param most the largest that fits if they need the least
   */
  @Schema(name = "ProgramPlanLargest")
  public record Largest(
      long memoryBytes,
      long othersBytes,
      @Nullable Long value,
      long least,
      long most,
      LargestSize.End end) {}

  /** The answer to a question. */
  static ProgramPlanView of(
      ProgramPlan plan,
      String name,
      List<ChosenProgram> chosen,
      List<Long> asked,
      @Nullable Long memoryBytes,
      long othersBytes) {
    long last = plan.programs().getLast().value();
    List<Long> values =
        asked.isEmpty()
            ? new TreeSet<>(
                    List.of(
                        Math.min(SizedProgram.MOST_VALUE, 2 * last),
                        Math.min(SizedProgram.MOST_VALUE, 4 * last)))
                .stream().toList()
            : asked;
    Long available = null;
    Largest largest = null;
    if (memoryBytes != null) {
      available = memoryBytes - othersBytes;
      largest = largest(plan.largest(available), memoryBytes, othersBytes);
    }
    @Nullable Long limit = available;
    List<Prediction> predictions =
        values.stream().map(value -> prediction(plan, value, limit)).toList();
    return new ProgramPlanView(
        name,
        ProgramPlanAnswer.sentences(name, predictions, largest, plan),
        plan.programs().stream().map(each -> program(plan, each, chosen)).toList(),
        uses(plan, values),
        predictions,
        largest,
        ProgramPlanAnswer.checks(plan, name),
        ProgramPlanAnswer.notes(plan, chosen),
        NOT_COUNTED);
  }

  private static Largest largest(LargestSize largest, long memoryBytes, long othersBytes) {
    return new Largest(
        memoryBytes, othersBytes, largest.value(), largest.least(), largest.most(), largest.end());
  }

  @SuppressWarnings("ReferenceEquality") // Two uploads may have equal programs.
  private static Program program(ProgramPlan plan, SizedProgram sized, List<ChosenProgram> chosen) {
    ChosenProgram of =
        chosen.stream().filter(each -> each.program() == sized.program()).findFirst().orElseThrow();
    return new Program(
        of.stored().id(),
        of.number(),
        sized.name(),
        sized.value(),
        plan.statedBytes(sized),
        plan.statedBytes(sized, AllocationUse.TEMPORARY),
        plan.statedBytes(sized, AllocationUse.ARGUMENT)
            + plan.statedBytes(sized, AllocationUse.ALIASED));
  }

  private static Prediction prediction(ProgramPlan plan, long value, @Nullable Long available) {
    ByteEstimate bytes = plan.at(value);
    Boolean fits = null;
    if (available != null && bytes.most() <= available) {
      fits = true;
    } else if (available != null && bytes.least() > available) {
      fits = false;
    }
    return new Prediction(
        value, plan.place(value), plan.certainty(value), times(plan, value), bytes(bytes), fits);
  }

  private static double times(ProgramPlan plan, long value) {
    double nearest = plan.programs().getFirst().value();
    for (SizedProgram each : plan.programs()) {
      double other = each.value();
      nearest =
          Math.abs(Math.log(value / other)) < Math.abs(Math.log(value / nearest)) ? other : nearest;
    }
    return value / nearest;
  }

  private static Bytes bytes(ByteEstimate estimate) {
    return new Bytes(estimate.likely(), estimate.least(), estimate.most());
  }

  private static List<Use> uses(ProgramPlan plan, List<Long> values) {
    List<Use> uses = new ArrayList<>();
    for (Map.Entry<AllocationUse, UseTrend> each : plan.trends().entrySet()) {
      AllocationUse use = each.getKey();
      UseTrend trend = each.getValue();
      uses.add(
          new Use(
              use,
              use.label(),
              trend.basis(),
              trend.basis().label(),
              trend.residualBytes(),
              trend.heldOutBytes() < 0 ? null : (Long) trend.heldOutBytes(),
              plan.programs().stream().map(program -> plan.statedBytes(program, use)).toList(),
              values.stream().map(value -> bytes(trend.at(value))).toList()));
    }
    uses.add(
        new Use(
            null,
            "total",
            null,
            "",
            0,
            null,
            plan.programs().stream().map(plan::statedBytes).toList(),
            values.stream().map(value -> bytes(plan.at(value))).toList()));
    return uses;
  }
}
