package dev.vramscope.web.list;

import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.replays.WhatIfJobs;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Deletes one or several snapshots after a confirmation. */
@Controller
class DeletePage {
  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final WhatIfJobs replays;

  DeletePage(SnapshotStore store, SnapshotCache snapshots, WhatIfJobs replays) {
    this.store = store;
    this.snapshots = snapshots;
    this.replays = replays;
  }

  @GetMapping("/snapshots/delete")
  String confirm(@RequestParam(name = "id", defaultValue = "") List<String> ids, Model model) {
    List<StoredSnapshot> snapshots =
        ids.stream().distinct().map(store::get).flatMap(Optional::stream).toList();
    if (snapshots.isEmpty()) {
      throw ids.isEmpty()
          ? RefusedRequestException.badParameter("id", "empty", "the ids of snapshots to delete")
          : RefusedRequestException.noSnapshot(ids.getFirst());
    }
    model.addAttribute("chosen", snapshots);
    model.addAttribute("noun", noun(snapshots));
    model.addAttribute(
        "originalBytes", snapshots.stream().mapToLong(StoredSnapshot::originalBytes).sum());
    return "delete";
  }

  /** Snapshots that do not exist, for example deleted in another window, are skipped. */
  @PostMapping("/snapshots/delete")
  String delete(@RequestParam(name = "id") List<String> ids) {
    for (String id : ids) {
      store.delete(id);
      snapshots.evict(id);
      replays.deleted(id);
    }
    return "redirect:/snapshots";
  }

  private static String noun(List<StoredSnapshot> chosen) {
    if (chosen.stream().allMatch(StoredSnapshot::isLog)) {
      return "log";
    }
    return chosen.stream().allMatch(StoredSnapshot::isCompiled) ? "compiled program" : "snapshot";
  }
}
