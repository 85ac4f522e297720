package dev.vramscope.web.uploads;

import dev.vramscope.format.FormatException;
import dev.vramscope.live.Devices;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.ShortNames;
import dev.vramscope.web.live.AllocatorView;
import dev.vramscope.web.live.DevicesView;
import dev.vramscope.web.live.IncidentViews;
import java.io.IOException;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Upload form, recent snapshots, devices with their hosted allocators, and samples. */
@Controller
class DashboardPage {
  private static final int RECENT = 10;
  private static final int NAME_LENGTH = 44;

  private final SnapshotStore store;
  private final Samples samples;
  private final Devices devices;
  private final HostedAllocators allocators;
  private final IncidentViews incidents;
  private final StoreStatus status;

  DashboardPage(
      SnapshotStore store,
      Samples samples,
      Devices devices,
      HostedAllocators allocators,
      IncidentViews incidents,
      StoreStatus status) {
    this.store = store;
    this.samples = samples;
    this.devices = devices;
    this.allocators = allocators;
    this.incidents = incidents;
    this.status = status;
  }

  @GetMapping("/")
  String show(Model model) {
    StoreStatus.Report storeStatus = status.report();
    SnapshotFilter newest = SnapshotFilter.newest(RECENT);
    List<StoredSnapshot> recent = storeStatus.readable() ? store.find(newest) : List.of();
    model.addAttribute("store", storeStatus);
    model.addAttribute("recent", recent);
    model.addAttribute("names", ShortNames.ofSnapshots(recent, NAME_LENGTH));
    model.addAttribute("total", storeStatus.readable() ? store.count(newest) : 0);
    model.addAttribute("samples", samples.all());
    model.addAttribute("devices", DevicesView.of(devices.driver(), devices.maxSimulatedBytes()));
    model.addAttribute(
        "hosted",
        allocators.list().stream().map(each -> AllocatorView.of(each, incidents)).toList());
    model.addAttribute(
        "service", ServletUriComponentsBuilder.fromCurrentContextPath().toUriString());
    return "dashboard";
  }

  @PostMapping("/samples/{name}")
  String openSample(@PathVariable String name) throws IOException, FormatException {
    return "redirect:/snapshots/" + samples.open(name).snapshot().id();
  }

  /** Detects GPUs again, for example after a driver update. */
  @PostMapping("/devices/refresh")
  String refreshDevices() {
    devices.probeAgain();
    return "redirect:/#devices";
  }
}
