package dev.vramscope.web.list;

import static dev.vramscope.web.request.TextParameter.strippedOrNull;

import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.store.listing.JobTotals;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.SnapshotOrder;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.ShortNames;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.request.SortLinks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of snapshots with its filters, newest first or grouped by job and rank. */
@Controller
class SnapshotsPage {
  private static final int PAGE_SIZE = 50;
  private static final int NAME_LENGTH = 60;

  private final SnapshotStore store;
  private final StoreStatus status;

  SnapshotsPage(SnapshotStore store, StoreStatus status) {
    this.store = store;
    this.status = status;
  }

  @GetMapping("/snapshots")
  String list(
      @RequestParam @Nullable String q,
      @RequestParam @Nullable String job,
      @RequestParam @Nullable String rank,
      @RequestParam @Nullable String host,
      @RequestParam @Nullable String label,
      @RequestParam(defaultValue = "newest") String order,
      @RequestParam(defaultValue = "false") boolean reverse,
      @RequestParam(defaultValue = "0") int offset,
      Model model) {
    Slice.requireOffset(offset);
    SnapshotFilter filter =
        new SnapshotFilter(
            strippedOrNull(q),
            strippedOrNull(job),
            strippedOrNull(rank),
            strippedOrNull(host),
            strippedOrNull(label),
            SortLinks.order(order, reverse),
            PAGE_SIZE,
            offset);
    Map<String, String> filters = new LinkedHashMap<>();
    put(filters, "q", q);
    put(filters, "job", job);
    put(filters, "rank", rank);
    put(filters, "host", host);
    put(filters, "label", label);
    SortLinks links = new SortLinks(filters, filter.order());
    int total = Math.toIntExact(store.count(filter));
    int existing = Slice.offsetIn(total, offset, PAGE_SIZE);
    if (existing != offset) {
      return "redirect:" + links.link(filter.order(), existing);
    }
    List<StoredSnapshot> snapshots = store.find(filter);
    Slice<StoredSnapshot> slice = new Slice<>(snapshots, offset, PAGE_SIZE, total);
    boolean grouped = filter.order().equals(SnapshotOrder.JOB);
    model.addAttribute("store", status.report());
    model.addAttribute("slice", slice);
    model.addAttribute("snapshots", snapshots);
    model.addAttribute("names", ShortNames.ofSnapshots(snapshots, NAME_LENGTH));
    model.addAttribute("groups", grouped ? groups(filter, snapshots) : List.of());
    model.addAttribute("filters", filters);
    model.addAttribute("grouped", grouped);
    model.addAttribute("sort", grouped ? null : links);
    model.addAttribute("isNewestFirst", filter.order().equals(SnapshotOrder.NEWEST));
    model.addAttribute("order", order);
    model.addAttribute("reverse", reverse);
    model.addAttribute("newestFirst", links.link(SnapshotOrder.NEWEST, null));
    model.addAttribute("byJob", links.link(SnapshotOrder.JOB, null));
    model.addAttribute("previous", links.link(filter.order(), slice.previous()));
    model.addAttribute("next", links.link(filter.order(), slice.next()));
    return "snapshots";
  }

  private List<SnapshotGroup> groups(SnapshotFilter filter, List<StoredSnapshot> snapshots) {
    List<String> jobs =
        snapshots.stream()
            .map(stored -> stored.tags().job())
            .filter(Objects::nonNull)
            .distinct()
            .toList();
    Map<String, JobTotals> totals = jobs.isEmpty() ? Map.of() : store.jobTotals(filter, jobs);
    return SnapshotGroup.of(snapshots, totals);
  }

  private static void put(Map<String, String> filters, String name, @Nullable String value) {
    String text = strippedOrNull(value);
    if (text != null) {
      filters.put(name, text);
    }
  }
}
