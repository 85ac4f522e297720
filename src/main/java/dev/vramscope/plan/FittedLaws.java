package dev.vramscope.plan;

import dev.vramscope.plan.SizeLaw.Basis;
import dev.vramscope.whatif.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The laws of all sizes of a template.
 *
 * <p>What the recordings do not determine, since an allocation is missing in some of them or may be
 * paired with another one, is taken from the other allocations: the law has to give the sizes of as
 * many recordings as possible; of several, it is that of allocations of the same size in the
 * template or, without any, the way in which most bytes grow.
 */
final class FittedLaws {
  /** Smaller ones of unknown growth are taken as constant. */
  private static final long LEAST_GROWING_BYTES = 64 << 10;

  private final List<double[]> points;
  private final int parameters;
  private final int template;
  private final boolean isSameSequence;
  private final Bound bound;
  private final List<Monomial> monomials;
  private final Map<List<Integer>, LawFit> fits = new HashMap<>();

  /** By size in the template: the number of the most common law that is determined. */
  private final Map<Long, Integer> bySize = new HashMap<>();

  /** By terms: the bytes of the allocations whose law is determined. */
  private final Map<List<Monomial>, Long> bytesOfTerms = new HashMap<>();

  /**
   * Fits for a template.
   *
   * @param isSameSequence whether all recordings have the same operations, so that each pair is
   *     certain
   * @param bound how sizes are taken that the recordings do not determine
   */
  FittedLaws(
      List<SizedRecording> recordings,
      List<String> names,
      int template,
      boolean isSameSequence,
      Bound bound) {
    this.bound = bound;
    points = recordings.stream().map(recording -> recording.values().inOrder(names)).toList();
    parameters = names.size();
    monomials = Monomial.of(parameters);
    this.template = template;
    this.isSameSequence = isSameSequence;
  }

  /**
   * Fits sizes.
   *
   * @param counts how many allocations have them
   * @param isWorkspace whether all of these are workspaces of kernels
   */
  List<SizeLaw> of(
      List<RecordedSizes> distinct,
      List<Integer> counts,
      List<Boolean> isWorkspace,
      Progress progress) {
    SizeLaw[] laws = new SizeLaw[distinct.size()];
    for (int i = 0; i < laws.length; i++) {
      progress.check();
      RecordedSizes sizes = distinct.get(i);
      int[] present = sizes.present();
      laws[i] =
          present.length < 2
              ? LawFit.constant(sizes.bytes()[template], parameters, Basis.ASSUMED)
              : fit(present).of(bytes(sizes, present));
      if (isWorkspace.get(i) && isFittedGrowth(laws[i])) {
        laws[i] = laws[i].with(Basis.WORKSPACE);
      }
      if (isDetermined(laws[i], present)) {
        long bytes = sizes.bytes()[template];
        bySize.merge(bytes, i, (one, other) -> counts.get(one) >= counts.get(other) ? one : other);
        bytesOfTerms.merge(laws[i].terms(), bytes * counts.get(i), Long::sum);
      }
    }
    SizeLaw[] fittedLaws = laws.clone();
    for (int i = 0; i < laws.length; i++) {
      boolean isBounded = laws[i].basis() == Basis.WORKSPACE;
      if (!isBounded && !isDetermined(laws[i], distinct.get(i).present())) {
        laws[i] = assumed(distinct.get(i), laws[i], fittedLaws);
      }
    }
    boundWorkspaces(laws, distinct);
    return Arrays.asList(laws);
  }

  private static boolean isFittedGrowth(SizeLaw law) {
    return law.basis() != Basis.CONSTANT && law.basis() != Basis.ASSUMED;
  }

  /**
   * A kernel has no more threads than fill the GPU, so that its workspace grows up to a size that
   * is about the same for all kernels: likely that of the largest recorded one.
   */
  private void boundWorkspaces(SizeLaw[] laws, List<RecordedSizes> distinct) {
    if (bound == Bound.MOST) {
      return;
    }
    long largest = 0;
    for (int i = 0; i < laws.length; i++) {
      if (laws[i].basis() == Basis.WORKSPACE) {
        largest = Math.max(largest, distinct.get(i).largest());
      }
    }
    for (int i = 0; i < laws.length; i++) {
      if (laws[i].basis() == Basis.WORKSPACE) {
        laws[i] = laws[i].atMost(largest);
      }
    }
  }

  private LawFit fit(int[] present) {
    return fits.computeIfAbsent(
        IntStream.of(present).boxed().toList(),
        some -> new LawFit(some.stream().map(points::get).toList()));
  }

  private static long[] bytes(RecordedSizes sizes, int[] present) {
    return IntStream.of(present).mapToLong(r -> sizes.bytes()[r]).toArray();
  }

  private boolean isDetermined(SizeLaw law, int[] present) {
    if (!law.isDetermined() || (law.isNegative() && !isSameSequence)) {
      return false;
    }
    for (int parameter = 0; parameter < parameters; parameter++) {
      int column = parameter;
      if (IntStream.of(present).mapToDouble(r -> points.get(r)[column]).distinct().count() < 2) {
        return false;
      }
    }
    return true;
  }

  private SizeLaw assumed(RecordedSizes sizes, SizeLaw fitted, SizeLaw[] fittedLaws) {
    long bytes = sizes.bytes()[template];
    if (bound == Bound.LEAST) {
      return LawFit.constant(sizes.largest(), parameters, Basis.ASSUMED);
    }
    List<SizeLaw> candidates = new ArrayList<>();
    Integer same = bySize.get(bytes);
    if (same != null) {
      candidates.add(fittedLaws[same].with(Basis.ASSUMED));
    }
    int others = sizes.present().length - 1;
    if (others > 0 || bytes < LEAST_GROWING_BYTES) {
      candidates.add(LawFit.constant(bytes, parameters, Basis.ASSUMED));
    }
    monomials.stream()
        .filter(monomial -> !monomial.isConstant() && bytes >= LEAST_GROWING_BYTES)
        .sorted(
            Comparator.comparingLong(
                    (Monomial monomial) -> bytesOfTerms.getOrDefault(List.of(monomial), 0L))
                .reversed())
        .map(
            monomial ->
                new SizeLaw(
                    List.of(monomial),
                    List.of(bytes / monomial.at(points.get(template))),
                    Basis.ASSUMED,
                    0,
                    /* isAmbiguous= */ true,
                    SizeLaw.UNBOUNDED))
        .forEach(candidates::add);
    SizeLaw best = fitted.with(Basis.ASSUMED);
    int most = fitted.isNegative() || fitted.isAmbiguous() || others == 0 ? 0 : others + 1;
    for (SizeLaw candidate : candidates) {
      int recordingCount = recordingsGiven(candidate, sizes);
      if (recordingCount > most) {
        best = candidate;
        most = recordingCount;
      }
    }
    return best;
  }

  private int recordingsGiven(SizeLaw law, RecordedSizes sizes) {
    return (int)
        IntStream.of(sizes.present())
            .filter(
                r ->
                    Math.abs(law.at(points.get(r)) - sizes.bytes()[r])
                        <= Math.max(1, law.residualBytes()))
            .count();
  }
}
