package dev.vramscope.postmortem.cause;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What would have served a failed request, if it alone had been different: the evidence that the
 * cause of the failure follows from ({@code docs/verdicts.md}).
 *
 * @param rows one for each {@link Name}, in this order
 */
public record Counterfactuals(List<Row> rows) {
  public Counterfactuals {
    rows = List.copyOf(rows);
    if (!rows.stream().map(Row::name).toList().equals(Arrays.asList(Name.values()))) {
      throw new IllegalArgumentException("a row for each name is needed: " + rows);
    }
  }

  /** One difference. */
  public enum Name {
    /** All live memory in one piece, and so all free memory too. */
    PERFECTLY_PACKED("perfectlyPacked", "all free memory in one piece"),
    /** No device memory used by other processes, or by this process outside the allocator. */
    WITHOUT_OTHERS("withoutOthers", "nothing held outside this allocator"),
    /** No limit of the allocator, such as the memory fraction. */
    WITHOUT_LIMIT("withoutLimit", "no memory limit"),
    /** Free blocks serve the requests of every stream. */
    ON_ONE_STREAM("onOneStream", "one stream for all requests"),
    /** Free blocks serve the requests of every pool. */
    ALL_POOLS("allPools", "one pool for all requests"),
    /** The streams have finished with all freed memory. */
    PENDING_FREES_DONE("pendingFreesDone", "no freed memory waiting for a stream"),
    /** The allocator releases all of its cache that it can. */
    CACHE_EMPTIED("cacheEmptied", "the cache emptied"),
    /** A device of twice the size. */
    DOUBLE_TOTAL("doubleTotal", "a device of twice the size");

    private final String id;
    private final String label;

    Name(String id, String label) {
      this.id = id;
      this.label = label;
    }

    /** The name in REST responses. */
    public String id() {
      return id;
    }

    /** The text for tables: "with ...". */
    public String label() {
      return label;
    }
  }

  /** Whether the difference would have served the request. */
  public enum Answer {
    YES,
    NO,
    /** The recording does not contain what the answer depends on. */
    UNKNOWN,
    /** There is nothing that could be different. */
    NOT_APPLICABLE;

    /** The text for tables. */
    public String label() {
      return this == NOT_APPLICABLE ? "does not apply" : name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The answer for one difference.
   *
   * @param bytes the memory that the difference provides, in addition to what the request could use
   *     as it was; empty where it is unknown or the difference does not apply
   * @param sentence the answer with its numbers
   */
  public record Row(Name name, Answer answer, OptionalLong bytes, String sentence) {}

  /** The rows with something that could be different. */
  public List<Row> applicable() {
    return rows.stream().filter(row -> row.answer() != Answer.NOT_APPLICABLE).toList();
  }

  /** The rows with nothing that could be different. */
  public List<Row> others() {
    return rows.stream().filter(row -> row.answer() == Answer.NOT_APPLICABLE).toList();
  }

  /**
   * Says why an answer is not certain where it would be another one with other numbers.
   *
   * @param others the counterfactuals with other numbers that are possible
   * @param reason a sentence
   */
  public Counterfactuals doubted(List<Counterfactuals> others, String reason) {
    return new Counterfactuals(
        rows.stream()
            .map(
                row ->
                    others.stream()
                            .allMatch(other -> other.row(row.name()).answer() == row.answer())
                        ? row
                        : new Row(
                            row.name(), row.answer(), row.bytes(), row.sentence() + " " + reason))
            .toList());
  }

  /** The row with this name. */
  public Row row(Name name) {
    return rows.get(name.ordinal());
  }

  /** Whether this difference alone would have served the request, as far as it is known. */
  public boolean isYes(Name name) {
    return row(name).answer() == Answer.YES;
  }
}
