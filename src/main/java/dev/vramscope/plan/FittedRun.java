package dev.vramscope.plan;

import dev.vramscope.plan.SizeLaw.Basis;
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
  private final Operations operations;
  private final List<String> names;
  private final int[] lawOf;
  private final List<SizeLaw> laws;

  private FittedRun(
      SizedRecording template,
      Operations operations,
      List<String> names,
      int[] lawOf,
      List<SizeLaw> laws) {
    this.template = template;
    this.operations = operations;
    this.names = names;
    this.lawOf = lawOf;
    this.laws = List.copyOf(laws);
  }

  /** The sizes of one allocation in all recordings; {@link Alignment#NONE} where it is missing. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by content below.
  private record Sizes(long[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Sizes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    int count() {
      return (int) Arrays.stream(bytes).filter(size -> size != Alignment.NONE).count();
    }
  }

  /**
   * Fits the sizes.
   *
   * @param names the parameters that differ between the recordings
   * @param template the number of the template among the recordings
   * @param alignments by recording: the template aligned with it; that with itself is not used
   */
  static FittedRun of(
      List<SizedRecording> recordings,
      List<Operations> operations,
      List<String> names,
      int template,
      List<Alignment> alignments) {
    RecordedRun run = recordings.get(template).run();
    int[] lawOf = new int[run.operations()];
    Arrays.fill(lawOf, NO_LAW);
    Map<Sizes, Integer> numbers = new HashMap<>();
    List<Sizes> distinct = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
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
              new Sizes(bytes),
              added -> {
                distinct.add(added);
                counts.add(0);
                return distinct.size() - 1;
              });
      counts.set(lawOf[i], counts.get(lawOf[i]) + 1);
    }
    List<SizeLaw> laws = new Fitting(recordings, names, template).of(distinct, counts);
    return new FittedRun(recordings.get(template), operations.get(template), names, lawOf, laws);
  }

  /** The fit of all distinct sizes. */
  private static final class Fitting {
    private final List<double[]> points;
    private final int parameters;
    private final int template;
    private final Map<List<Integer>, LawFit> fits = new HashMap<>();

    Fitting(List<SizedRecording> recordings, List<String> names, int template) {
      points = recordings.stream().map(recording -> recording.values().inOrder(names)).toList();
      parameters = names.size();
      this.template = template;
    }

    List<SizeLaw> of(List<Sizes> distinct, List<Integer> counts) {
      SizeLaw[] laws = new SizeLaw[distinct.size()];
      // By size in the template: the law of most allocations.
      Map<Long, Integer> common = new HashMap<>();
      for (int i = 0; i < laws.length; i++) {
        Sizes sizes = distinct.get(i);
        if (sizes.count() > 1) {
          laws[i] = fit(sizes);
          common.merge(
              sizes.bytes[template],
              i,
              (one, other) -> counts.get(one) >= counts.get(other) ? one : other);
        }
      }
      for (int i = 0; i < laws.length; i++) {
        long bytes = distinct.get(i).bytes[template];
        if (laws[i] == null) {
          Integer same = common.get(bytes);
          laws[i] =
              same == null
                  ? LawFit.constant(bytes, parameters, Basis.UNKNOWN)
                  : laws[same].bySize();
        }
      }
      return Arrays.asList(laws);
    }

    private SizeLaw fit(Sizes sizes) {
      List<Integer> present = new ArrayList<>();
      for (int r = 0; r < sizes.bytes.length; r++) {
        if (sizes.bytes[r] != Alignment.NONE) {
          present.add(r);
        }
      }
      return fits.computeIfAbsent(
              present, some -> new LawFit(some.stream().map(points::get).toList()))
          .of(present.stream().mapToLong(r -> sizes.bytes[r]).toArray());
    }
  }

  SizedRecording template() {
    return template;
  }

  Operations operations() {
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
  RecordedRun at(Values values) {
    return template.run().withBytes(bytesAt(values));
  }

  /** The requested bytes by operation. */
  long[] bytesAt(Values values) {
    long[] ofLaw = bytesOfLawsAt(values);
    long[] bytes = new long[lawOf.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = lawOf[i] == NO_LAW ? 0 : ofLaw[lawOf[i]];
    }
    return bytes;
  }

  /** The requested bytes by law. */
  long[] bytesOfLawsAt(Values values) {
    double[] point = values.inOrder(names);
    return laws.stream().mapToLong(law -> law.at(point)).toArray();
  }
}
