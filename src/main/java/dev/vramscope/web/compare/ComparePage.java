package dev.vramscope.web.compare;

import dev.vramscope.analysis.diff.DiffRows;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.compare.CompareForm.By;
import dev.vramscope.web.compare.CompareForm.Show;
import dev.vramscope.web.display.ShortNames;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.request.TextParameter;
import dev.vramscope.work.WorkKind;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Two snapshots compared, and the choice of the second one. */
@Controller
class ComparePage {
  private static final int MAX_OFFSET = 100_000;
  private static final int SETTINGS = 100;
  private static final int CANDIDATES = 50;
  private static final int NAME_LENGTH = 60;

  private final SnapshotStore store;
  private final Comparison.Reader comparisons;

  ComparePage(SnapshotStore store, Comparison.Reader comparisons) {
    this.store = store;
    this.comparisons = comparisons;
  }

  /** {@code id}, twice, are the rows that are selected in the list. */
  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/compare")
  String show(
      CompareForm form,
      @RequestParam(name = "id", required = false) @Nullable List<String> ids,
      @RequestParam @Nullable String q,
      Model model) {
    String a = form.a();
    if (a == null || a.isBlank()) {
      return "redirect:" + ofSelected(ids == null ? List.of() : ids);
    }
    String b = form.b();
    return b == null || b.isBlank() ? choose(a, q, model) : compare(a, b, form, model);
  }

  /** The earlier snapshot is the first: by step in a job, otherwise by the time of the upload. */
  private String ofSelected(List<String> ids) {
    List<String> distinct = ids.stream().filter(id -> !id.isBlank()).distinct().toList();
    if (distinct.size() != 2) {
      throw RefusedRequestException.notTwoSnapshots(distinct.size());
    }
    List<StoredSnapshot> ordered =
        distinct.stream()
            .map(this::stored)
            .sorted(Comparator.comparing(StoredSnapshot::uploaded))
            .toList();
    StoredSnapshot first = ordered.getFirst();
    StoredSnapshot second = ordered.getLast();
    Long step = first.tags().step();
    Long otherStep = second.tags().step();
    return step != null && otherStep != null && step > otherStep
        ? CompareForm.url(second.id(), first.id())
        : CompareForm.url(first.id(), second.id());
  }

  private String choose(String a, @Nullable String q, Model model) {
    StoredSnapshot stored = stored(a);
    String text = TextParameter.strippedOrNull(q);
    String job = stored.tags().job();
    List<StoredSnapshot> ofJob =
        job == null || text != null ? List.of() : candidates(stored, null, job, SnapshotOrder.JOB);
    model.addAttribute("stored", stored);
    model.addAttribute("q", text);
    model.addAttribute("ofJob", ofJob);
    model.addAttribute(
        "others",
        candidates(stored, text, null, SnapshotOrder.NEWEST).stream()
            .filter(other -> ofJob.stream().noneMatch(same -> same.id().equals(other.id())))
            .toList());
    model.addAttribute("hasEvents", stored.eventCount() > 0);
    model.addAttribute("limit", CANDIDATES);
    return "compare-choose";
  }

  private List<StoredSnapshot> candidates(
      StoredSnapshot stored, @Nullable String text, @Nullable String job, SnapshotOrder order) {
    return store
        .find(new SnapshotFilter(text, job, null, null, null, order, CANDIDATES + 1, 0))
        .stream()
        .filter(other -> !other.id().equals(stored.id()))
        .filter(other -> other.isCompiled() == stored.isCompiled())
        .limit(CANDIDATES)
        .toList();
  }

  private String compare(String a, String b, CompareForm form, Model model) {
    if (stored(a).isCompiled() && stored(b).isCompiled()) {
      return "redirect:/compiled/compare?a=" + stored(a).id() + "&b=" + stored(b).id();
    }
    int offset = form.offset() == null ? 0 : form.offset();
    if (offset < 0 || offset > MAX_OFFSET) {
      throw RefusedRequestException.badParameter("offset", offset, "0 to " + MAX_OFFSET);
    }
    Comparison comparison =
        comparisons.of(
            a,
            form.deviceA(),
            form.at(),
            b,
            form.deviceB(),
            form.otherAt(),
            offset + CompareTable.PAGE);
    By by = form.rows();
    Show changes = form.changes();
    DiffRows all = by.of(comparison.memory());
    model.addAttribute("form", form);
    model.addAttribute("comparison", comparison);
    model.addAttribute("sides", List.of(comparison.a(), comparison.b()));
    model.addAttribute(
        "names",
        ShortNames.ofSnapshots(
            List.of(comparison.a().stored(), comparison.b().stored()), NAME_LENGTH));
    model.addAttribute("answer", CompareAnswer.of(comparison));
    model.addAttribute("chart", CompareChart.of(comparison, form.axisOfCurves()));
    model.addAttribute("by", by);
    model.addAttribute("changes", changes);
    model.addAttribute("all", all);
    model.addAttribute("choices", CompareTable.counts(all));
    model.addAttribute("table", CompareTable.of(all, changes, comparison, offset));
    model.addAttribute("ledger", ComparedLedger.of(comparison));
    model.addAttribute("facts", ComparedFact.of(comparison));
    model.addAttribute("settings", Slice.of(comparison.settings().rows(), 0, SETTINGS));
    model.addAttribute("api", form.api(comparison.a(), comparison.b()));
    model.addAttribute("flameApi", form.flameApi(comparison.a(), comparison.b()));
    return "compare";
  }

  private StoredSnapshot stored(String id) {
    return store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }
}
