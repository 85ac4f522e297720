package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.Change;
import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.analysis.diff.MemoryDiff;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The parameters of the page that compares, which its URL contains.
 *
 * @param a id of the first snapshot
 * @param b id of the second snapshot
 * @param deviceA device of the first; null for the default
 * @param deviceB device of the second; null for the default
 * @param at moment of the first: peak, end or an event; null for the default
 * @param otherAt moment of the second; null for the default
 * @param by sites or stacks
 * @param show all, or a kind of difference
 * @param axis event or time
 * @param offset the first row of the table; null for 0
 */
record CompareForm(
    @Nullable String a,
    @Nullable String b,
    @Nullable Integer deviceA,
    @Nullable Integer deviceB,
    @Nullable String at,
    @Nullable String otherAt,
    @Nullable String by,
    @Nullable String show,
    @Nullable String axis,
    @Nullable Integer offset) {
  private static final String PATH = "/compare";

  /** The rows of the table. */
  enum By {
    SITES("site"),
    STACKS("stack");

    private final String noun;

    By(String noun) {
      this.noun = noun;
    }

    public boolean isSites() {
      return this == SITES;
    }

    /** What one row is. */
    public String noun() {
      return noun;
    }

    DiffRows of(MemoryDiff memory) {
      return isSites() ? memory.sites() : memory.stacks();
    }
  }

  /** The kinds of difference to show. */
  enum Show {
    ALL,
    MORE,
    LESS,
    ADDED,
    GROWN,
    SHRUNK,
    REMOVED;

    boolean includes(Change change) {
      return switch (this) {
        case ALL -> change != Change.SAME;
        case MORE -> change == Change.ADDED || change == Change.GROWN;
        case LESS -> change == Change.SHRUNK || change == Change.REMOVED;
        default -> name().equals(change.name());
      };
    }

    public boolean isAll() {
      return this == ALL;
    }

    /** Text after the number of rows. */
    public String label() {
      return switch (this) {
        case ALL -> "different";
        case MORE -> "hold more";
        case LESS -> "hold less";
        default -> name().toLowerCase(Locale.ROOT);
      };
    }
  }

  /** The horizontal axis of the curves. */
  enum Axis {
    EVENT,
    TIME
  }

  By rows() {
    return choice("by", by, By.values());
  }

  Show changes() {
    return choice("show", show, Show.values());
  }

  Axis axisOfCurves() {
    return choice("axis", axis, Axis.values());
  }

  /** The constant with this name; the first one if there is none. */
  private static <E extends Enum<E>> E choice(String name, @Nullable String text, E[] constants) {
    if (text == null || text.isBlank()) {
      return constants[0];
    }
    return Arrays.stream(constants)
        .filter(constant -> parameter(constant).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    name,
                    text,
                    String.join(
                        ", ", Arrays.stream(constants).map(CompareForm::parameter).toList())));
  }

  private static String parameter(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static String url(String a, String b) {
    return new CompareForm(a, b, null, null, null, null, null, null, null, null).url();
  }

  /** The second side first. */
  public String swapped() {
    return new CompareForm(b, a, deviceB, deviceA, otherAt, at, by, show, axis, null).url();
  }

  public String moments(String first, String second) {
    return new CompareForm(a, b, deviceA, deviceB, first, second, by, show, axis, null).url();
  }

  public String bySites() {
    return by(By.SITES);
  }

  public String byStacks() {
    return by(By.STACKS);
  }

  private String by(By rows) {
    return new CompareForm(a, b, deviceA, deviceB, at, otherAt, parameter(rows), show, axis, null)
            .url()
        + "#held";
  }

  public String show(Show changes) {
    return new CompareForm(a, b, deviceA, deviceB, at, otherAt, by, parameter(changes), axis, null)
            .url()
        + "#held";
  }

  /** The rows from this one on. */
  public String from(int row) {
    return new CompareForm(a, b, deviceA, deviceB, at, otherAt, by, show, axis, row).url()
        + "#held";
  }

  public String overEvents() {
    return axis(Axis.EVENT);
  }

  public String overTime() {
    return axis(Axis.TIME);
  }

  private String axis(Axis other) {
    return new CompareForm(a, b, deviceA, deviceB, at, otherAt, by, show, parameter(other), offset)
        .url();
  }

  /** The same as JSON; the snapshots and moments are those that are shown. */
  String api(ComparedDevice first, ComparedDevice second) {
    return api("/diff", first, second);
  }

  /** The flame graph of both as JSON. */
  String flameApi(ComparedDevice first, ComparedDevice second) {
    return api("/diff/flame", first, second);
  }

  private static String api(String path, ComparedDevice first, ComparedDevice second) {
    return UriComponentsBuilder.fromPath("/api/v1/snapshots/" + first.stored().id() + path)
        .queryParam("other", second.stored().id())
        .queryParam("device", first.device().ordinal())
        .queryParam("otherDevice", second.device().ordinal())
        .queryParam("at", first.moment().parameter())
        .queryParam("otherAt", second.moment().parameter())
        .build()
        .toUriString();
  }

  /** The URL of this view. */
  String url() {
    UriComponentsBuilder url = UriComponentsBuilder.fromPath(PATH);
    add(url, "a", a);
    add(url, "b", b);
    add(url, "deviceA", deviceA);
    add(url, "deviceB", deviceB);
    add(url, "at", at);
    add(url, "otherAt", otherAt);
    add(url, "by", by);
    add(url, "show", show);
    add(url, "axis", axis);
    add(url, "offset", offset == null || offset == 0 ? null : offset);
    return url.build().encode().toUriString();
  }

  private static void add(UriComponentsBuilder url, String name, @Nullable Object value) {
    if (value != null && !value.toString().isBlank()) {
      url.queryParam(name, value);
    }
  }
}
