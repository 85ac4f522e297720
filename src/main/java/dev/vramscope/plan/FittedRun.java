package dev.vramscope.plan;

import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.RecordedRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The run of a template with a law for the bytes of each allocation.
 *
 * <pre>
 *   operation of the template ─▶ number of its law ─▶ law     (few laws for many operations)
 * </pre>
 */
final class FittedRun {
  private static final int NO_LAW = -1;

  private final SizedRecording template;
  private final PlannedOperations operations;
  private final List<String> names;
  private final int[] lawOf;
  private final List<SizeLaw> laws;

  private FittedRun(
      SizedRecording template,
      PlannedOperations operations,
      List<String> names,
      int[] lawOf,
      List<SizeLaw> laws) {
    this.template = template;
    this.operations = operations;
    this.names = names;
    this.lawOf = lawOf;
    this.laws = List.copyOf(laws);
  }

  /**
   * Fits the sizes.
   *
   * @param names the parameters that differ between the recordings
   * @param template the number of the template among the recordings
   * @param alignments by recording: the template aligned with it; that with itself is not used
   * @param bound how sizes are taken that the recordings do not determine
   */
  static FittedRun of(
      List<SizedRecording> recordings,
      List<PlannedOperations> operations,
      List<String> names,
      int template,
      List<Alignment> alignments,
      Bound bound,
      Progress progress) {
    RecordedRun run = recordings.get(template).run();
    int[] lawOf = new int[run.operations()];
    Arrays.fill(lawOf, NO_LAW);
    Map<RecordedSizes, Integer> numbers = new HashMap<>();
    List<RecordedSizes> distinct = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    List<Boolean> isWorkspace = new ArrayList<>();
    boolean[] workspaces = operations.get(template).areWorkspaces();
    for (int i = 0; i < lawOf.length; i++) {
      if (operations.get(template).subject(i) != i) {
        continue;
      }
      long[] bytes = new long[recordings.size()];
      for (int r = 0; r < bytes.length; r++) {
        int partner = r == template ? i : alignments.get(r).partner(i);
        bytes[r] =
            partner == Alignment.NONE ? Alignment.NONE : recordings.get(r).run().bytes(partner);
      }
      lawOf[i] =
          numbers.computeIfAbsent(
              new RecordedSizes(bytes),
              added -> {
                distinct.add(added);
                counts.add(0);
                isWorkspace.add(true);
                return distinct.size() - 1;
              });
      counts.set(lawOf[i], counts.get(lawOf[i]) + 1);
      isWorkspace.set(lawOf[i], isWorkspace.get(lawOf[i]) && workspaces[i]);
    }
    List<SizeLaw> laws =
        new FittedLaws(
                recordings,
                names,
                template,
                alignments.stream().allMatch(Alignment::isComplete),
                bound)
            .of(distinct, counts, isWorkspace, progress);
    return new FittedRun(recordings.get(template), operations.get(template), names, lawOf, laws);
  }

  SizedRecording template() {
    return template;
  }

  PlannedOperations operations() {
    return operations;
  }

  /** The parameters of the laws. */
  List<String> names() {
    return names;
  }

  List<SizeLaw> laws() {
    return laws;
  }

  /** The number of the law of an operation that allocates. */
  int lawOf(int operation) {
    return lawOf[operation];
  }

  /** The run with the sizes for some values. */
  RecordedRun at(ParameterValues values) {
    return template.placed().get().withBytes(bytesAt(values));
  }

  /** The requested bytes by operation. */
  long[] bytesAt(ParameterValues values) {
    long[] ofLaw = bytesOfLawsAt(values);
    long[] bytes = new long[lawOf.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = lawOf[i] == NO_LAW ? 0 : ofLaw[lawOf[i]];
    }
    return bytes;
  }

  /** The requested bytes by law. */
  long[] bytesOfLawsAt(ParameterValues values) {
    double[] point = values.inOrder(names);
    return laws.stream().mapToLong(law -> law.at(point)).toArray();
  }
}
