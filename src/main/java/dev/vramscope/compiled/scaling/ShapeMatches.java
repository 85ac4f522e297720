package dev.vramscope.compiled.scaling;

import dev.vramscope.compiled.ArrayShape;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which dimensions of the arrays of a program depend on the parameter: those for which an array of
 * such a shape is in the other programs, with the dimension multiplied, or raised, as the value is.
 * Instructions have other names in other programs, so names only decide between several shapes.
 */
final class ShapeMatches {
  /** More dimensions of one array depend on nothing. */
  private static final int MOST_RANK = 8;

  private static final int MOST_DEGREE = 3;

  /** How a dimension depends on the value. */
  private enum Rule {
    FIXED,
    MULTIPLE,
    SUM
  }

  /** A program of another value: its shapes, and the shape of each buffer by key. */
  private record Other(long value, Set<String> shapes, Map<String, String> byKey) {}

  /**
   * One way in which a shape may depend on the value.
   *
   * @param labels the shape in each of the other programs; empty where it cannot be
   * @param matches in how many of them it is
   */
  private record Candidate(ShapeGrowth growth, List<String> labels, long matches) {}

  private final long value;
  private final List<Other> others = new ArrayList<>();
  private final Map<String, List<Candidate>> candidates = new HashMap<>();

  ShapeMatches(SizedProgram program, List<SizedProgram> programs) {
    value = program.value();
    for (SizedProgram other : programs) {
      if (other.value() != value) {
        others.add(other(other));
      }
    }
  }

  private static Other other(SizedProgram program) {
    Set<String> shapes = new HashSet<>();
    Map<String, String> byKey = new HashMap<>();
    for (ProgramAllocation allocation : program.allocations()) {
      ArrayShape.of(allocation.shape())
          .ifPresent(
              shape -> {
                shapes.add(shape.label());
                byKey.put(keyOfArgument(allocation), shape.label());
              });
      for (ProgramBuffer buffer : allocation.buffers()) {
        ArrayShape.of(buffer.shape())
            .ifPresent(
                shape -> {
                  shapes.add(shape.label());
                  byKey.put(buffer.key(), shape.label());
                });
      }
    }
    return new Other(program.value(), shapes, byKey);
  }

  private static String keyOfArgument(ProgramAllocation allocation) {
    return "argument " + allocation.parameter();
  }

  /** The growth of a buffer; empty if no other program has an array of such a shape. */
  Optional<ShapeGrowth> of(ProgramBuffer buffer) {
    return of(buffer.key(), buffer.shape());
  }

  /** The growth of an argument or output; empty if its shape is not known. */
  Optional<ShapeGrowth> of(ProgramAllocation allocation) {
    return allocation.parameter() >= 0
        ? of(keyOfArgument(allocation), allocation.shape())
        : allocation.buffers().stream()
            .filter(buffer -> buffer.bytes() == allocation.bytes())
            .findFirst()
            .flatMap(this::of);
  }

  private Optional<ShapeGrowth> of(String key, String text) {
    Optional<ArrayShape> shape = ArrayShape.of(text);
    if (shape.isEmpty() || shape.get().dimensions().isEmpty()) {
      // Tables of pointers, tokens and scalars.
      return Optional.of(ShapeGrowth.none(value));
    }
    Candidate best = null;
    for (Candidate each : candidates.computeIfAbsent(shape.get().label(), _ -> all(shape.get()))) {
      best = best == null || isBetter(each, best, key) ? each : best;
    }
    return Optional.ofNullable(best).map(Candidate::growth);
  }

  /** Whether it is in more programs, or else has the same name there, or else is more usual. */
  private boolean isBetter(Candidate one, Candidate other, String key) {
    int order = Long.compare(one.matches, other.matches);
    if (order == 0) {
      order = Long.compare(named(one, key), named(other, key));
    }
    return order > 0 || (order == 0 && usual(one.growth) > usual(other.growth));
  }

  private long named(Candidate candidate, String key) {
    long named = 0;
    for (int i = 0; i < others.size(); i++) {
      named += candidate.labels.get(i).equals(others.get(i).byKey.get(key)) ? 1 : 0;
    }
    return named;
  }

  /** One dimension is more usual than none, none more than two; a multiple more than a sum. */
  private static int usual(ShapeGrowth growth) {
    int degree = growth.degree();
    int byDegree = degree == 1 ? 6 : degree == 0 ? 4 : 4 - 2 * degree;
    return byDegree - growth.shifted().size();
  }

  private List<Candidate> all(ArrayShape shape) {
    long[] sizes =
        Arrays.stream(shape.dimensions().split(",")).mapToLong(Long::parseLong).toArray();
    List<Candidate> all = new ArrayList<>();
    if (sizes.length <= MOST_RANK) {
      add(shape.type(), sizes, 0, new Rule[sizes.length], all);
    }
    return all;
  }

  /** Tries each rule for each dimension: fixed, a multiple, or a sum. */
  private void add(String type, long[] sizes, int next, Rule[] rules, List<Candidate> all) {
    if (next == sizes.length) {
      candidate(type, sizes, rules).ifPresent(all::add);
      return;
    }
    rules[next] = Rule.FIXED;
    add(type, sizes, next + 1, rules, all);
    int degree = 0;
    for (int i = 0; i < next; i++) {
      degree += rules[i] == Rule.FIXED ? 0 : 1;
    }
    if (degree < MOST_DEGREE && sizes[next] > 1) {
      rules[next] = Rule.MULTIPLE;
      add(type, sizes, next + 1, rules, all);
      // A size that is a multiple of the value is seldom a sum as well.
      if (sizes[next] % value != 0) {
        rules[next] = Rule.SUM;
        add(type, sizes, next + 1, rules, all);
      }
      rules[next] = Rule.FIXED;
    }
  }

  private Optional<Candidate> candidate(String type, long[] sizes, Rule[] rules) {
    List<String> labels = new ArrayList<>();
    long matches = 0;
    for (Other other : others) {
      String label = label(type, sizes, rules, other.value);
      labels.add(label);
      matches += other.shapes.contains(label) ? 1 : 0;
    }
    if (matches == 0) {
      return Optional.empty();
    }
    int power = 0;
    List<Long> shifted = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      power += rules[i] == Rule.MULTIPLE ? 1 : 0;
      if (rules[i] == Rule.SUM) {
        shifted.add(sizes[i]);
      }
    }
    return Optional.of(new Candidate(new ShapeGrowth(power, shifted, value), labels, matches));
  }

  /** The shape for another value; empty if a dimension would not be a whole number above 0. */
  private String label(String type, long[] sizes, Rule[] rules, long other) {
    StringBuilder label = new StringBuilder(type).append('[');
    for (int i = 0; i < sizes.length; i++) {
      long size = sizes[i];
      if (rules[i] == Rule.MULTIPLE) {
        if (size * other % value != 0) {
          return "";
        }
        size = size * other / value;
      } else if (rules[i] == Rule.SUM) {
        size = size + other - value;
      }
      if (size < 1) {
        return "";
      }
      label.append(i == 0 ? "" : ",").append(size);
    }
    return label.append(']').toString();
  }
}
