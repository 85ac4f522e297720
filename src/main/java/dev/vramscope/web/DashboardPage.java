package dev.vramscope.web;

import dev.vramscope.format.FormatException;
import dev.vramscope.store.SnapshotFilter;
import dev.vramscope.store.SnapshotStore;
import java.io.IOException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The drop zone, what came in lately, and the samples. */
@Controller
class DashboardPage {
  private static final int RECENT = 10;

  private final SnapshotStore store;
  private final Samples samples;

  DashboardPage(SnapshotStore store, Samples samples) {
    this.store = store;
    this.samples = samples;
  }

  @GetMapping("/")
  String show(Model model) {
    SnapshotFilter newest = SnapshotFilter.newest(RECENT);
    model.addAttribute("recent", store.find(newest));
    model.addAttribute("total", store.count(newest));
    model.addAttribute("samples", samples.all());
    model.addAttribute(
        "service", ServletUriComponentsBuilder.fromCurrentContextPath().toUriString());
    return "dashboard";
  }

  @PostMapping("/samples/{name}")
  String openSample(@PathVariable String name) throws IOException, FormatException {
    return "redirect:/snapshots/" + samples.open(name).snapshot().id();
  }
}
