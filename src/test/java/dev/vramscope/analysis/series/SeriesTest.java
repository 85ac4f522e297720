package dev.vramscope.analysis.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.DeviceMemoryProfileReader;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.finding.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Twelve profiles of a real process of JAX whose growth is known, and small made ones. */
class SeriesTest {
  private static final String FOLDER = "xla/jax_pprof_train_series";
  private static final CodePlace ROLLOUT = new CodePlace("rollout", "/app/jx/prog/train.py", 58);
  private static final CodePlace A = new CodePlace("a", "a.py", 1);
  private static final CodePlace B = new CodePlace("b", "b.py", 2);

  private static List<Path> profiles() {
    // The first one was saved before there was any array.
    return TestData.files(FOLDER).stream()
        .filter(file -> file.toString().endsWith(".prof"))
        .skip(1)
        .toList();
  }

  private static SeriesRecording recording(Path file) throws IOException, FormatException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      SnapshotInspection snapshot =
          SnapshotInspection.of(DeviceMemoryProfileReader.read(in, ReadLimits.defaults()));
      List<LiveMemory> devices = new ArrayList<>();
      for (DeviceInspection device : snapshot.devices()) {
        devices.add(
            LiveMemory.of(
                device.device().facts().profiledDevice().orElseThrow(),
                device.lifetimes(),
                device.active(),
                snapshot.stacks()));
      }
      OptionalLong executables =
          snapshot.snapshot().findings().stream()
              .filter(finding -> finding.code().equals("executables"))
              .mapToLong(Finding::count)
              .findFirst();
      return new SeriesRecording(
          file.getFileName().toString(),
          file.getFileName().toString(),
          OptionalLong.empty(),
          executables,
          devices);
    }
  }

  private static Series real() throws IOException, FormatException {
    List<SeriesRecording> recordings = new ArrayList<>();
    for (Path file : profiles()) {
      recordings.add(recording(file));
    }
    return Series.of(recordings);
  }

  @Test
  void totalsOfEachProfileAreThoseOfTheIndependentParser() throws IOException, FormatException {
    JsonNode truth =
        new JsonMapper().readTree(TestData.file(FOLDER + "/truth.json").toFile()).path("profiles");
    assertThat(profiles()).hasSize(truth.size());
    for (Path file : profiles()) {
      SeriesRecording recording = recording(file);
      JsonNode expected = truth.path(recording.name());
      assertThat(recording.bytes()).as(recording.name()).isEqualTo(expected.path("bytes").asLong());
      assertThat(recording.count())
          .as(recording.name())
          .isEqualTo(expected.path("buffers").asLong());
      assertThat(recording.executables()).hasValue(expected.path("executables").asLong());
      Map<String, Long> devices = new HashMap<>();
      recording.devices().forEach(device -> devices.put(device.name(), device.bytes()));
      Map<String, Long> expectedDevices = new HashMap<>();
      expected
          .path("by_device")
          .properties()
          .forEach(each -> expectedDevices.put(each.getKey(), each.getValue().asLong()));
      assertThat(devices).as(recording.name()).isEqualTo(expectedDevices);
      expected
          .path("sites")
          .properties()
          .forEach(
              site ->
                  assertThat(recording.at(place(site.getKey())).bytes())
                      .as(recording.name() + " " + site.getKey())
                      .isEqualTo(site.getValue().asLong()));
    }
  }

  /** Of {@code ('rollout', 'prog/train.py', 58)}. */
  private static CodePlace place(String text) {
    String[] parts = text.replaceAll("[()' ]", "").split(",", -1);
    return new CodePlace(parts[0], "/app/jx/" + parts[1], Integer.parseInt(parts[2]));
  }

  @Test
  void growsWhereTheProgramKeepsArraysInAList() throws IOException, FormatException {
    Series series = real();
    PlaceSeries growing = series.growing().getFirst();
    assertThat(growing.place()).isEqualTo(ROLLOUT);
    assertThat(growing.grownBytes()).isEqualTo(7_864_320);
    int first = growing.firstGrowth().orElseThrow();
    assertThat(series.recordings().get(first).name()).isEqualTo("04_leak_40.prof");
    assertThat(growing.count(first) - growing.count(first - 1)).isEqualTo(30);
    assertThat(growing.growthCount()).isEqualTo(1);
    assertThat(growing.isHeldAtEnd()).isFalse(); // The program clears the list.
    // What each call of a function allocates once, such as closures, does not grow.
    assertThat(series.growing()).hasSize(1);
  }

  @Test
  void compiledProgramsAreNotArrays() throws IOException, FormatException {
    Series series = real();
    Series.Compilations most = series.compilations().orElseThrow();
    assertThat(series.recordings().get(most.recording()).name())
        .isEqualTo("05_jit_cache_64_shapes.prof");
    assertThat(most.after() - most.before()).isEqualTo(128);
    assertThat(series.recordings().get(most.recording()).bytes())
        .isEqualTo(series.recordings().get(most.recording() - 1).bytes());
  }

  @Test
  void oneDeviceHoldsMoreThanTheOthers() throws IOException, FormatException {
    Series series = real();
    Imbalance fifth =
        series.imbalances().stream()
            .filter(each -> each.device().equals("cpu:5"))
            .findFirst()
            .orElseThrow();
    assertThat(fifth.place().line()).isEqualTo(87);
    assertThat(fifth.excessBytes()).isEqualTo(8_388_608);
    assertThat(series.recordings().get(fifth.first()).name()).isEqualTo("09_imbalance.prof");
    // What is sharded or copied evenly differs nowhere.
    assertThat(series.imbalances()).extracting(each -> each.place().line()).doesNotContain(77, 78);
  }

  private static SeriesRecording made(long step, long bytesOfA, long bytesOfB) {
    return new SeriesRecording(
        "id" + step,
        "step " + step,
        OptionalLong.of(step),
        OptionalLong.empty(),
        List.of(
            new LiveMemory(
                "device 0",
                Map.of(
                    A, new PlaceMemory(bytesOfA, 1),
                    B, new PlaceMemory(bytesOfB, 1)))));
  }

  @Test
  void slopesAreByStep() {
    Series series =
        Series.of(
            List.of(
                made(0, 1000, 10),
                made(10, 2000, 10),
                made(20, 3000, 10),
                made(40, 5000, 10),
                made(100, 11_000, 10)));
    assertThat(series.hasSteps()).isTrue();
    assertThat(series.growing()).extracting(PlaceSeries::place).containsExactly(A);
    PlaceSeries a = series.growing().getFirst();
    assertThat(a.bytesPerStep(series.steps())).hasValue(100);
    assertThat(a.firstGrowth()).hasValue(1);
    assertThat(a.lastGrowth()).hasValue(4);
    assertThat(series.compilations()).isEmpty();
    assertThat(series.imbalances()).isEmpty();
  }

  @Test
  void stepsThatDoNotAscendAreNotUsed() {
    Series series = Series.of(List.of(made(5, 1, 1), made(5, 2, 1), made(7, 3, 1)));
    assertThat(series.hasSteps()).isFalse();
    assertThat(series.steps()).containsExactly(0, 1, 2);
  }

  @Test
  void whatIsAllocatedOnceDoesNotGrow() {
    Series series = Series.of(List.of(made(0, 0, 50), made(1, 700, 50), made(2, 700, 40)));
    assertThat(series.growing()).isEmpty();
    assertThat(series.changeBytes()).isEqualTo(690);
  }
}
