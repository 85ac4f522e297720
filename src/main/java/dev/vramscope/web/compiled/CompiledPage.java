package dev.vramscope.web.compiled;

import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.PeakMoment;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.Slice;
import dev.vramscope.work.WorkKind;
import java.io.IOException;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** A compiled program: where its bytes go, and when. */
@Controller
class CompiledPage {
  private static final int ROWS = 40;

  private final StoredPrograms programs;

  CompiledPage(StoredPrograms programs) {
    this.programs = programs;
  }

  @Heavy(WorkKind.ANALYSIS)
  @GetMapping("/compiled/{id}")
  String show(@PathVariable String id, @RequestParam(defaultValue = "0") int program, Model model)
      throws IOException {
    StoredSnapshot stored = programs.find(id);
    CompiledFile file = programs.read(id);
    int count = file.programs().size();
    if (count > 0) {
      StoredPrograms.program(file, program, "program");
    }
    model.addAttribute("stored", stored);
    model.addAttribute("file", file);
    model.addAttribute("rows", FileView.rows(file));
    model.addAttribute("unusable", FileView.unusable(file));
    model.addAttribute("changes", FileView.changes(file));
    if (count > 0) {
      add(file.programs().get(program), program, model);
    }
    return "compiled";
  }

  /**
   * Compares two programs.
   *
   * @param p the number of the program in the first upload
   * @param q in the second one
   */
  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/compiled/compare")
  String compare(
      @RequestParam String a,
      @RequestParam String b,
      @RequestParam(defaultValue = "0") int p,
      @RequestParam(defaultValue = "0") int q,
      Model model)
      throws IOException {
    ComparisonView view = programs.compare(a, p, b, q);
    model.addAttribute("view", view);
    model.addAttribute("first", programs.find(a));
    model.addAttribute("second", programs.find(b));
    model.addAttribute("p", p);
    model.addAttribute("q", q);
    model.addAttribute("operations", Slice.of(view.operations(), 0, ROWS));
    return "compiled-compare";
  }

  private static void add(CompiledProgram program, int number, Model model) {
    Optional<PeakMoment> peak = PeakMoment.of(program);
    ProgramView view = ProgramView.of(program, peak);
    model.addAttribute("number", number);
    model.addAttribute("view", view);
    model.addAttribute("packing", PackingChart.of(program).orElse(null));
    model.addAttribute(
        "operations", peak.flatMap(moment -> PeakFlame.ofOperations(program, moment)).orElse(null));
    model.addAttribute(
        "lines", peak.flatMap(moment -> PeakFlame.ofLines(program, moment)).orElse(null));
    if (view.peak() != null) {
      model.addAttribute("buffers", Slice.of(view.peak().buffers(), 0, ROWS));
    }
    if (view.donation() != null) {
      model.addAttribute("donated", Slice.of(view.donation().donated(), 0, ROWS));
      model.addAttribute("candidates", Slice.of(view.donation().candidates(), 0, ROWS));
    }
  }
}
