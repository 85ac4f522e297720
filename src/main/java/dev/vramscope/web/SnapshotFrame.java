package dev.vramscope.web;

import dev.vramscope.analysis.Honesty;
import dev.vramscope.model.Finding;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.StoredSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/**
 * The frame around every page of a snapshot: name, tags, tabs, devices, and first of all what is
 * missing.
 */
@Component
final class SnapshotFrame {
  /** What a template finds under {@code at}. */
  record At(StoredSnapshot stored, LoadedSnapshot loaded, LoadedDevice device, Tab tab) {
    public List<Tab> tabs() {
      return Arrays.asList(Tab.values());
    }

    /**
     * The address of a page of this snapshot, such as {@code /oom}, for the device that is shown.
     */
    public String to(String path) {
      String address = "/snapshots/" + stored.id() + path;
      return loaded.devices().size() > 1 ? address + "?device=" + device.ordinal() : address;
    }

    public String api() {
      return "/api/v1/snapshots/" + stored.id();
    }

    public Honesty honesty() {
      return device.honesty();
    }

    /** The class of the banner: that of its gravest finding. */
    public String gravity() {
      return honesty().findings().stream()
          .findFirst()
          .map(Finding::severity)
          .map(severity -> severity.name().toLowerCase(Locale.ROOT))
          .orElse("info");
    }
  }

  private final SnapshotStore store;
  private final SnapshotCache snapshots;

  SnapshotFrame(SnapshotStore store, SnapshotCache snapshots) {
    this.store = store;
    this.snapshots = snapshots;
  }

  /** Opens the snapshot and puts the frame into the model. */
  LoadedDevice show(String id, @Nullable Integer device, Tab tab, Model model) {
    StoredSnapshot stored = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    LoadedSnapshot loaded = snapshots.get(id);
    LoadedDevice shown = loaded.device(device);
    model.addAttribute("at", new At(stored, loaded, shown, tab));
    return shown;
  }
}
