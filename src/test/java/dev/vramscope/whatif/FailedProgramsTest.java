package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TruthCase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The programs of {@code src/test/realtorch/failures}: under each setting the replay of the
 * recording fits if, and only if, the program itself got past its failed request when it was run
 * again under that setting.
 */
class FailedProgramsTest {
  @Test
  void replaysFitWhereTheProgramsGotPastTheirFailure() {
    int rows = 0;
    List<String> wrong = new ArrayList<>();
    for (TruthCase program : TruthCase.all("failures")) {
      RecordedRun recorded = RecordedRun.of(program.snapshot(), program.device());
      DeviceSize size =
          DeviceSize.of(program.number("totalBytes", 0), program.number("othersBytes", 0));
      for (JsonNode row : program.truth().path("underSettings")) {
        rows++;
        String settings =
            Stream.of(row.path("settings").asString(), limitSetByCall(program))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(","));
        Outcome found = Replay.run(recorded, new Variant.Caching(settings), size, new Progress());
        if (found.fits() != row.path("fits").asBoolean()) {
          wrong.add(program + " \"" + settings + "\": " + found + ", not " + row);
        }
      }
    }
    System.out.println("Failed programs: " + (rows - wrong.size()) + " of " + rows + " agree");
    assertThat(rows).isPositive();
    assertThat(wrong).isEmpty();
  }

  /** A recording has no memory fraction that was set by a call; a reader has to enter it. */
  private static String limitSetByCall(TruthCase program) {
    double total = program.number("totalBytes", 0);
    double fraction = program.number("limitBytes", 0) / total;
    boolean isSetByCall =
        fraction < 1 && !program.truth().path("settings").asString().contains("fraction");
    return isSetByCall ? "per_process_memory_fraction:" + fraction : "";
  }
}
