package dev.vramscope.web;

import dev.vramscope.store.SnapshotFilter;
import dev.vramscope.store.SnapshotStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;

/** The list of snapshots with its filters, and the page that confirms a deletion. */
@Controller
class SnapshotsPage {
  private static final int PAGE_SIZE = 50;

  private final SnapshotStore store;
  private final SnapshotCache snapshots;

  SnapshotsPage(SnapshotStore store, SnapshotCache snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  @GetMapping("/snapshots")
  String list(
      @RequestParam @Nullable String q,
      @RequestParam @Nullable String job,
      @RequestParam @Nullable String rank,
      @RequestParam @Nullable String host,
      @RequestParam @Nullable String label,
      @RequestParam(defaultValue = "0") int offset,
      Model model) {
    if (offset < 0) {
      throw RefusedRequestException.badParameter("offset", offset, "0 or more");
    }
    SnapshotFilter filter =
        new SnapshotFilter(
            blankToNull(q),
            blankToNull(job),
            blankToNull(rank),
            blankToNull(host),
            blankToNull(label),
            PAGE_SIZE,
            offset);
    Map<String, String> filters = new LinkedHashMap<>();
    put(filters, "q", q);
    put(filters, "job", job);
    put(filters, "rank", rank);
    put(filters, "host", host);
    put(filters, "label", label);
    long total = store.count(filter);
    model.addAttribute("snapshots", store.find(filter));
    model.addAttribute("total", total);
    model.addAttribute("offset", offset);
    model.addAttribute("filters", filters);
    model.addAttribute(
        "newer", offset == 0 ? null : link(filters, Math.max(0, offset - PAGE_SIZE)));
    model.addAttribute(
        "older", offset + PAGE_SIZE >= total ? null : link(filters, offset + PAGE_SIZE));
    return "snapshots";
  }

  @GetMapping("/snapshots/{id}/delete")
  String confirmDelete(@PathVariable String id, Model model) {
    model.addAttribute(
        "stored", store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id)));
    return "delete";
  }

  @PostMapping("/snapshots/{id}/delete")
  String delete(@PathVariable String id) {
    if (!store.delete(id)) {
      throw RefusedRequestException.noSnapshot(id);
    }
    snapshots.evict(id);
    return "redirect:/snapshots";
  }

  private static String link(Map<String, String> filters, int offset) {
    UriComponentsBuilder link = UriComponentsBuilder.fromPath("/snapshots");
    filters.forEach((name, value) -> link.queryParam(name, "{" + name + "}"));
    if (offset > 0) {
      link.queryParam("offset", offset);
    }
    return link.encode().buildAndExpand(filters).toUriString();
  }

  private static void put(Map<String, String> filters, String name, @Nullable String value) {
    String text = blankToNull(value);
    if (text != null) {
      filters.put(name, text);
    }
  }

  private static @Nullable String blankToNull(@Nullable String value) {
    return value == null || value.isBlank() ? null : value.strip();
  }
}
