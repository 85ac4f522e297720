package dev.vramscope.cli.gpu;

import dev.vramscope.device.Device;
import dev.vramscope.replay.GoldenOnCard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** That the golden cases hold while a real card makes every memory call too. */
record GoldenOnCardCheck(Supplier<? extends Device> open, @Nullable Path folder) implements Check {
  @Override
  public String name() {
    return "golden cases on the card";
  }

  @Override
  public Outcome run() throws IOException {
    if (folder == null) {
      return Outcome.skipped("No golden cases were named by --golden.");
    }
    GoldenOnCard.Tally tally = new GoldenOnCard(open.get()).replay(folder);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("passed", tally.passed());
    figures.put("failures", tally.failures());
    figures.put("not_for_this_card", tally.skipped());
    return Outcome.within(
        tally.passed() > 0 && tally.failures().isEmpty(),
        "%d cases passed, %d failed, %d ask for more than this card has."
            .formatted(tally.passed(), tally.failures().size(), tally.skipped().size()),
        figures);
  }
}
