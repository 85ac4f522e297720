package dev.vramscope.web.budget;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.Shares;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.budget.Budget;
import dev.vramscope.budget.BudgetComparison.Expectation;
import dev.vramscope.budget.ModelGenerations;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.LedgerView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A budget as its page and JSON show it: the rows of the ledger, with the live row divided by use.
 * The known rows add up to the device, or to the known part of it.
 *
 * @param at failure, end or peak
 * @param event the moment: after this event; -1 is before the first one
 * @param ledger the ledger of the same moment
 * @param models the models whose parameters are live, in the order in which they were made
 * @param noExpectation why there are no expected numbers, or null
 */
record BudgetView(
    Budget.Moment at,
    int event,
    List<Row> rows,
    @Nullable Long reservedBytes,
    @Nullable Long totalBytes,
    @Nullable Long totalAtLeastBytes,
    @Nullable String totalUnknown,
    @Nullable String totalSource,
    @Nullable Long remainderBytes,
    @Nullable String noExpectation,
    List<Model> models,
    @JsonIgnore LedgerView ledger) {

  /**
   * One row.
   *
   * @param item the name of the use, or of the ledger's row
   * @param bytes null when unknown
   * @param unknown the reason, or null
   * @param isEstimated whether the use is estimated
   * @param expectedBytes what training is expected to need, or null
   * @param rule the origin of the expected number, or null
   * @param difference a sentence on the difference from it, or null
   * @param sites the places with most of it; only for live memory
   * @param siteCount the number of all places
   * @param look its colour and pattern
   */
  @Schema(name = "BudgetRow")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Row(
      String item,
      String label,
      @Nullable Long bytes,
      @Nullable String unknown,
      boolean isEstimated,
      @Nullable Long expectedBytes,
      @Nullable String rule,
      @Nullable String difference,
      List<Site> sites,
      int siteCount,
      @JsonIgnore String term,
      @JsonIgnore String meaning,
      @JsonIgnore Look look,
      @JsonIgnore boolean isReserved) {
    @JsonIgnore
    public String css() {
      return look.css;
    }

    @JsonIgnore
    public String pattern() {
      return look.pattern;
    }
  }

  /** The colour and the pattern of a row. */
  record Look(String css, String pattern) {}

  /**
   * A place that allocated memory of one use.
   *
   * @param frame its frame, or null without a stack
   * @param stack a stack of it; 0 without one
   * @param isBackward whether the memory is of the backward pass of this place, whose thread
   *     records no stacks
   */
  @Schema(name = "BudgetSite")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Site(
      @Nullable FrameView frame,
      int stack,
      boolean isBeforeRecording,
      boolean isBackward,
      long bytes,
      int count) {}

  /**
   * One of several models whose parameters are live.
   *
   * @param source made, copied or checkpoint
   * @param frame the place that allocated it, or null without a stack
   * @param count of its parameters
   */
  @Schema(name = "BudgetModel")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Model(
      String source,
      @JsonIgnore String label,
      @Nullable FrameView frame,
      int stack,
      long bytes,
      int count) {
    static Model of(ModelGenerations.Model model, StackClasses stacks) {
      return new Model(
          model.source().name().toLowerCase(Locale.ROOT),
          BudgetWords.label(model.source()),
          FrameView.ofSite(stacks, model.stack()),
          model.stack(),
          model.bytes(),
          model.count());
    }
  }

  static BudgetView of(Budget budget, StackClasses stacks, AllocatorFamily family) {
    LedgerView ledger = LedgerView.of(budget.ledger(), family);
    List<Row> rows = new ArrayList<>();
    for (Budget.Part part : budget.parts()) {
      rows.add(row(part, budget.comparison().of(part.use()).orElse(null), stacks));
    }
    for (Expectation expectation : budget.comparison().expectations()) {
      if (expectation.measuredBytes() == 0) {
        rows.add(
            row(
                new Budget.Part(expectation.use(), 0, 0, /* isEstimated= */ true, List.of(), 0),
                expectation,
                stacks));
      }
    }
    rows.sort((a, b) -> Integer.compare(BudgetWords.order(a.item), BudgetWords.order(b.item)));
    for (LedgerView.Row row : ledger.rows()) {
      if (row.item() != Ledger.Item.LIVE_REQUESTED
          && row.item() != Ledger.Item.LIVE_REQUEST_UNKNOWN) {
        rows.add(row(row));
      }
    }
    String reason = budget.comparison().reason();
    return new BudgetView(
        budget.moment(),
        budget.event(),
        rows,
        ledger.reservedBytes(),
        ledger.totalBytes(),
        ledger.totalAtLeastBytes(),
        ledger.totalUnknown(),
        ledger.totalSource(),
        ledger.remainderBytes(),
        reason.isEmpty() ? null : reason,
        budget.models().stream().map(model -> Model.of(model, stacks)).toList(),
        ledger);
  }

  private static Row row(Budget.Part part, @Nullable Expectation expected, StackClasses stacks) {
    return new Row(
        part.use().id(),
        BudgetWords.label(part.use()),
        part.bytes(),
        null,
        part.isEstimated(),
        expected == null ? null : (Long) expected.expectedBytes(),
        expected == null ? null : expected.rule(),
        expected == null || expected.difference().isEmpty() ? null : expected.difference(),
        part.sites().stream()
            .map(
                site ->
                    new Site(
                        FrameView.ofSite(stacks, site.stack()),
                        site.stack(),
                        site.isBeforeRecording(),
                        site.isBackward(),
                        site.bytes(),
                        site.count()))
            .toList(),
        part.siteCount(),
        BudgetWords.term(part.use()),
        BudgetWords.meaning(part.use()),
        BudgetWords.look(part.use()),
        /* isReserved= */ true);
  }

  private static Row row(LedgerView.Row row) {
    return new Row(
        row.item().id(),
        row.label(),
        row.bytes(),
        row.unknown(),
        /* isEstimated= */ false,
        null,
        null,
        null,
        List.of(),
        0,
        row.term(),
        row.meaning(),
        new Look(row.css(), row.pattern()),
        row.isReserved());
  }

  /** The size that the bar shows: the device, or what is known of it. */
  @JsonIgnore
  public long scaleBytes() {
    long knownSum = knownBytes();
    return Math.max(
        1,
        Math.max(
            knownSum,
            totalBytes != null ? totalBytes : Objects.requireNonNullElse(totalAtLeastBytes, 0L)));
  }

  /** The sum of the rows whose bytes are known. */
  @JsonIgnore
  public long knownBytes() {
    return rows.stream().mapToLong(row -> Objects.requireNonNullElse(row.bytes, 0L)).sum();
  }

  /** The percentages of the rows, of {@link #scaleBytes}; they add up to that of their sum. */
  @JsonIgnore
  public List<String> shares() {
    return Shares.of(
        rows.stream().map(row -> Objects.requireNonNullElse(row.bytes, 0L)).toList(), scaleBytes());
  }

  /** The left edges of the rows in the bar, in percent, and that of the part that is unknown. */
  @JsonIgnore
  public List<Double> edges() {
    List<Double> edges = new ArrayList<>();
    double start = 0;
    for (Row row : rows) {
      edges.add(start);
      double width = 100.0 * Objects.requireNonNullElse(row.bytes, 0L) / scaleBytes();
      // The sum of rounded numbers may exceed 100 by a little.
      start = Math.min(100, start + width);
    }
    edges.add(start);
    return edges;
  }

  @JsonIgnore
  public boolean hasExpectations() {
    return rows.stream().anyMatch(row -> row.expectedBytes != null);
  }

  @JsonIgnore
  public boolean hasUnknownRows() {
    return rows.stream().anyMatch(row -> row.bytes == null);
  }
}
