package dev.vramscope.web;

import dev.vramscope.format.FormatException;
import dev.vramscope.live.Devices;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.store.SnapshotFilter;
import dev.vramscope.store.SnapshotStore;
import java.io.IOException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The drop zone, what came in lately, the cards and what is hosted on them, and the samples. */
@Controller
class DashboardPage {
  private static final int RECENT = 10;

  private final SnapshotStore store;
  private final Samples samples;
  private final Devices cards;
  private final HostedAllocators allocators;

  DashboardPage(SnapshotStore store, Samples samples, Devices cards, HostedAllocators allocators) {
    this.store = store;
    this.samples = samples;
    this.cards = cards;
    this.allocators = allocators;
  }

  @GetMapping("/")
  String show(Model model) {
    SnapshotFilter newest = SnapshotFilter.newest(RECENT);
    model.addAttribute("recent", store.find(newest));
    model.addAttribute("total", store.count(newest));
    model.addAttribute("samples", samples.all());
    model.addAttribute("devices", DevicesView.of(cards.driver(), cards.maxSimulatedBytes()));
    model.addAttribute("hosted", allocators.list().stream().map(AllocatorView::of).toList());
    model.addAttribute(
        "service", ServletUriComponentsBuilder.fromCurrentContextPath().toUriString());
    return "dashboard";
  }

  @PostMapping("/samples/{name}")
  String openSample(@PathVariable String name) throws IOException, FormatException {
    return "redirect:/snapshots/" + samples.open(name).snapshot().id();
  }

  /** Looks for GPUs again, as after the driver was installed or updated. */
  @PostMapping("/devices/refresh")
  String lookForCards() {
    cards.probeAgain();
    return "redirect:/#devices";
  }
}
