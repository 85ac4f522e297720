package dev.vramscope.web.series;

import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.ShortNames;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.Slice;
import dev.vramscope.work.WorkKind;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** Recordings of one process over time. */
@Controller
class SeriesPage {
  private static final int PAGE = 50;
  private static final int NAME_LENGTH = 60;
  private static final int SHOWN_IMBALANCES = 20;

  private final SeriesReader reader;

  SeriesPage(SeriesReader reader) {
    this.reader = reader;
  }

  @Heavy(WorkKind.COMPARISON)
  @GetMapping("/series")
  String show(SeriesQuery query, Model model) {
    ShownSeries shown = reader.read(query);
    SeriesView view = SeriesView.of(shown);
    List<StoredSnapshot> stored = shown.stored();
    model.addAttribute("query", query);
    model.addAttribute("shown", shown);
    model.addAttribute("view", view);
    model.addAttribute("names", ShortNames.ofSnapshots(stored, NAME_LENGTH));
    model.addAttribute("chart", SeriesChart.of(shown.series(), view.recordings()));
    model.addAttribute("places", Slice.of(view.places(), 0, PAGE));
    model.addAttribute("imbalances", Slice.of(view.imbalances(), 0, SHOWN_IMBALANCES));
    return "series";
  }
}
