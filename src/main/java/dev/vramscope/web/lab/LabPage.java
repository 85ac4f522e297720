package dev.vramscope.web.lab;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.SnapshotScript;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.whatif.ReplayInput;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.json.JsonMapper;

/** The lab: allocators on simulated devices, driven by hand. */
@Controller
class LabPage {
  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final JsonMapper json;

  LabPage(SnapshotStore store, SnapshotCache snapshots, JsonMapper json) {
    this.store = store;
    this.snapshots = snapshots;
    this.json = json;
  }

  @GetMapping("/lab")
  String list(Model model) {
    model.addAttribute("exercises", LabExercises.LIST);
    return "lab";
  }

  @GetMapping("/lab/{id}")
  String show(@PathVariable String id, Model model) {
    LabExercise exercise =
        LabExercises.find(id)
            .orElseThrow(
                () ->
                    RefusedRequestException.notFound(
                        "The lab has no exercise " + id, "/lab/" + id, "/lab lists all of them."));
    return page(exercise, null, model);
  }

  /** The last events of a stored recording. */
  @GetMapping("/snapshots/{id}/lab")
  String ofSnapshot(
      @PathVariable String id,
      @RequestParam(required = false) @Nullable Integer device,
      @RequestParam(defaultValue = "500") int events,
      Model model) {
    StoredSnapshot stored = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    SnapshotInspection snapshot = snapshots.get(id);
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshot, device);
    ReplayInput.requireTrace(inspection);
    int last = Math.clamp(events, 1, LabApi.MAX_EVENTS);
    Script script = SnapshotScript.of(inspection.device(), inspection.lifetimes(), last);
    LabExercise exercise =
        new LabExercise(
            "recording",
            "The end of a recording",
            "The last events of a stored snapshot, on the same allocator. Change the settings, edit"
                + " the script, step through it.",
            List.of(LabSides.of(snapshot, inspection)),
            script.text(),
            SnapshotScript.openingOperations(script));
    return page(exercise, stored, model);
  }

  private String page(LabExercise exercise, @Nullable StoredSnapshot stored, Model model) {
    model.addAttribute("exercise", exercise);
    model.addAttribute("exercises", LabExercises.LIST);
    model.addAttribute("sides", json.writeValueAsString(exercise.sides()));
    model.addAttribute("syntax", Script.SYNTAX);
    model.addAttribute("stored", stored);
    return "lab-exercise";
  }
}
