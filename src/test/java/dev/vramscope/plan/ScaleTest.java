package dev.vramscope.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotFile;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Budget P7: a program that PyTorch itself ran at several sizes. From the recordings of the small
 * ones follows what the others needed. {@code -Dvramscope.scale=FOLDER} tests other cases.
 */
class ScaleTest {
  private static final double ALLOCATED = 0.005;
  private static final double RESERVED = 0.02;

  static Stream<Path> cases() throws IOException {
    String other = System.getProperty("vramscope.scale");
    Path folder = other == null ? TestData.folder("scale") : Path.of(other);
    try (Stream<Path> found = Files.list(folder)) {
      return found.filter(Files::isDirectory).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void plannedPeaksAreThoseOfTheProgram(Path folder) throws Exception {
    JsonNode truth = JsonMapper.shared().readTree(folder.resolve("truth.json"));
    Plan plan = Plan.of(recordings(folder, truth), new Progress());
    List<String> wrong = new ArrayList<>();
    int asked = 0;

    for (String kind : List.of("recorded", "asked")) {
      for (JsonNode expected : truth.path(kind)) {
        ParameterValues values = plan.complete(values(expected).byName());
        Variant.Caching settings = plan.recordedSettings(values);
        Outcome planned =
            plan.predict(values, settings, DeviceSize.UNLIMITED, new Progress()).needed();
        double allocated =
            error(planned.peakAllocatedBytes(), expected.path("peakAllocatedBytes").asLong());
        double reserved =
            error(planned.peakReservedBytes(), expected.path("peakReservedBytes").asLong());
        String line =
            String.format(
                Locale.ROOT,
                "%s %s %s: allocated %d, planned %d (%+.3f %%), reserved %d, planned %d (%+.3f %%)",
                folder.getFileName(),
                kind,
                values.label(),
                expected.path("peakAllocatedBytes").asLong(),
                planned.peakAllocatedBytes(),
                100 * allocated,
                expected.path("peakReservedBytes").asLong(),
                planned.peakReservedBytes(),
                100 * reserved);
        System.out.println(line);
        boolean isRecorded = kind.equals("recorded");
        if (Math.abs(allocated) > (isRecorded ? 0 : ALLOCATED)
            || Math.abs(reserved) > (isRecorded ? 0 : RESERVED)) {
          wrong.add(line);
        }
        asked += isRecorded ? 0 : 1;
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(asked).isPositive();
  }

  private static double error(long planned, long real) {
    return (double) (planned - real) / real;
  }

  static List<SizedRecording> recordings(Path folder, JsonNode truth) throws Exception {
    List<SizedRecording> recordings = new ArrayList<>();
    for (JsonNode recorded : truth.path("recorded")) {
      String file = recorded.path("file").asString();
      Snapshot snapshot =
          SnapshotFile.read(folder.resolve(file), ReadLimits.defaults()).snapshot().orElseThrow();
      recordings.add(
          SizedRecording.of(
              file, values(recorded), SnapshotInspection.of(snapshot).devices().getFirst()));
    }
    return recordings;
  }

  private static ParameterValues values(JsonNode of) {
    Map<String, Long> found = new LinkedHashMap<>();
    found.put("batch", of.path("batch").asLong());
    found.put("length", of.path("length").asLong());
    return new ParameterValues(found);
  }
}
