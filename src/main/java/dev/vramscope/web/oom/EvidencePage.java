package dev.vramscope.web.oom;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EvidenceView;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The texts that are attached to a snapshot, and the form that adds one. The same form is on the
 * pages that use the texts; after a change they are shown again.
 */
@Controller
class EvidencePage {
  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final EvidenceTexts texts;
  private final ProblemAdvice advice;

  EvidencePage(
      SnapshotStore store, SnapshotCache snapshots, EvidenceTexts texts, ProblemAdvice advice) {
    this.store = store;
    this.snapshots = snapshots;
    this.texts = texts;
    this.advice = advice;
  }

  @GetMapping("/snapshots/{id}/evidence")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "") String from,
      Model model) {
    model.addAttribute(
        "stored", store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id)));
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    model.addAttribute("device", inspection);
    model.addAttribute("pieces", EvidenceView.of(inspection.evidence()));
    model.addAttribute("from", tab(from).path());
    return "evidence";
  }

  @PostMapping("/snapshots/{id}/evidence")
  String attach(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable Integer gpu,
      @RequestParam(defaultValue = "") String text,
      @RequestParam(defaultValue = "") String from,
      Model model,
      HttpServletResponse response) {
    try {
      texts.attach(id, device, gpu, text);
      return back(id, device, from);
    } catch (RefusedRequestException refused) {
      if (refused.kind() != RefusedRequestException.Kind.EVIDENCE) {
        throw refused;
      }
      advice.show(refused, model, response);
      model.addAttribute("text", text);
      model.addAttribute("gpu", gpu);
      return show(id, device, from, model);
    }
  }

  @PostMapping("/snapshots/{id}/evidence/remove")
  String remove(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam int number,
      @RequestParam(defaultValue = "") String from) {
    texts.remove(id, number);
    return back(id, device, from);
  }

  private static String back(String id, @Nullable Integer device, String from) {
    return "redirect:/snapshots/"
        + id
        + tab(from).path()
        + (device == null ? "" : "?device=" + device)
        + "#evidence";
  }

  /** The page that the form was on. */
  private static Tab tab(String from) {
    return Arrays.stream(Tab.values())
        .filter(each -> each.path().equals(from))
        .findFirst()
        .orElse(Tab.OVERVIEW);
  }
}
