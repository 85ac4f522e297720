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

/** Which one was it? */
@Controller
class SnapshotsPage {
  private static final int PAGE = 50;

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
            given(q), given(job), given(rank), given(host), given(label), PAGE, offset);
    Map<String, String> wanted = new LinkedHashMap<>();
    put(wanted, "q", q);
    put(wanted, "job", job);
    put(wanted, "rank", rank);
    put(wanted, "host", host);
    put(wanted, "label", label);
    long total = store.count(filter);
    model.addAttribute("snapshots", store.find(filter));
    model.addAttribute("total", total);
    model.addAttribute("offset", offset);
    model.addAttribute("wanted", wanted);
    model.addAttribute("newer", offset == 0 ? null : link(wanted, Math.max(0, offset - PAGE)));
    model.addAttribute("older", offset + PAGE >= total ? null : link(wanted, offset + PAGE));
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

  private static String link(Map<String, String> wanted, int offset) {
    UriComponentsBuilder link = UriComponentsBuilder.fromPath("/snapshots");
    wanted.forEach((name, value) -> link.queryParam(name, "{" + name + "}"));
    if (offset > 0) {
      link.queryParam("offset", offset);
    }
    return link.encode().buildAndExpand(wanted).toUriString();
  }

  private static void put(Map<String, String> wanted, String name, @Nullable String value) {
    String text = given(value);
    if (text != null) {
      wanted.put(name, text);
    }
  }

  private static @Nullable String given(@Nullable String value) {
    return value == null || value.isBlank() ? null : value.strip();
  }
}
