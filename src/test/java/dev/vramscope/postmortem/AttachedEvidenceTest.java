package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.EvidenceMatch;
import dev.vramscope.analysis.ledger.EvidenceMatch.Result;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.ledger.RecordedDevice;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.evidence.Evidence;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What texts say about failures of PyTorch's own allocator, and what follows from it. */
class AttachedEvidenceTest {
  private static final long GIB = 1L << 30;

  static Stream<RecordedFailure> failures() {
    return Stream.of("ooms", "programs")
        .flatMap(RecordedFailure::all)
        .filter(failure -> failure.truth().path("message").isString());
  }

  private static RecordedFailure failure(String name) {
    return RecordedFailure.all("ooms")
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String message(RecordedFailure failure) {
    return failure.truth().path("message").asString();
  }

  private static Result compare(RecordedFailure failure, String text, OptionalInt gpu) {
    DeviceSnapshot device = failure.snapshot().devices().getFirst();
    Lifetimes lifetimes = Lifetimes.of(device);
    return new EvidenceMatch(
            device,
            lifetimes,
            ActiveBytes.of(device, lifetimes),
            SizeRules.of(failure.snapshot().settings()))
        .compare(Evidence.parse(text).orElseThrow(), gpu);
  }

  private static DeviceEvidence added(RecordedFailure failure, String text) {
    return ((Result.Adds) compare(failure, text, OptionalInt.empty())).evidence();
  }

  private static String contradiction(RecordedFailure failure, String text) {
    return ((Result.Contradicts) compare(failure, text, OptionalInt.empty())).what();
  }

  private static OomReport report(RecordedFailure failure, DeviceEvidence evidence) {
    DeviceSnapshot device = failure.snapshot().devices().getFirst();
    OomEvent oom = device.trace().ooms().get(failure.truth().path("failure").asInt(0));
    Lifetimes lifetimes = Lifetimes.of(device);
    RecordedDevice recorded =
        new RecordedDevice(device, ActiveBytes.of(device, lifetimes), evidence);
    return OomAnalysis.of(
        failure.snapshot(),
        device,
        RecordedHistory.of(failure.snapshot().stacks(), device),
        oom,
        recorded.atFailure(oom));
  }

  private static long known(Ledger ledger, Item item) {
    return ((Amount.Known) ledger.amount(item)).bytes();
  }

  /** The message has the size of the device to 5 MiB, and the report the cause of the truth. */
  @ParameterizedTest
  @MethodSource("failures")
  void messageOfTheFailureGivesTheReportOfAReaderWhoKnowsTheSize(RecordedFailure failure) {
    DeviceEvidence evidence = added(failure, message(failure));
    long total = failure.truth().path("totalBytes").asLong();
    DeviceEvidence.Size size = evidence.size().orElseThrow();
    assertThat(total).isBetween(size.leastBytes(), size.mostBytes());
    assertThat(evidence.holders()).isNotEmpty();
    OomReport exact = failure.report(OptionalLong.of(total));
    OomReport report = report(failure, evidence);
    assertThat(report.verdict().cause()).isEqualTo(exact.verdict().cause());
    assertThat(report.alsoPresent()).isEqualTo(exact.alsoPresent());
    assertThat(report.verdict().certainty()).isEqualTo(exact.verdict().certainty());
  }

  /** A name says that there is more memory than programs can use: nothing is certain by it. */
  @ParameterizedTest
  @MethodSource("failures")
  void nameOfTheDeviceMakesNothingCertain(RecordedFailure failure) {
    OomReport unknown = failure.report(OptionalLong.empty());
    DeviceEvidence name =
        added(
            failure,
            "NVIDIA H100 " + (failure.truth().path("totalBytes").asLong() / GIB + 1) + "GB");
    Verdict verdict = report(failure, name).verdict();
    if (verdict.certainty() == Certainty.CERTAIN) {
      assertThat(unknown.alsoPresent()).isEqualTo(report(failure, name).alsoPresent());
      assertThat(unknown.verdict().certainty()).isEqualTo(Certainty.CERTAIN);
      assertThat(unknown.verdict().cause()).isEqualTo(verdict.cause());
    } else if (unknown.verdict().cause() != verdict.cause()) {
      assertThat(verdict.caveats()).anyMatch(caveat -> caveat.startsWith("Estimated: "));
    }
  }

  @Test
  void messageTellsOtherProcessesAndThisOneApart() {
    RecordedFailure failure = failure("others_hold_most");
    String text =
        message(failure)
            .replace(
                "is free. ",
                "is free. Process 4711 has 11.50 GiB memory in use. Including non-PyTorch memory,"
                    + " this process has 3.23 GiB memory in use. ");
    OomReport report = report(failure, added(failure, text));
    Ledger ledger = report.ledger();
    long own = known(ledger, Item.OUTSIDE_ALLOCATOR);
    long others = known(ledger, Item.OTHER_PROCESSES);
    assertThat(own).isCloseTo((3_230 * GIB / 1000) - ledger.reservedBytes(), within(GIB / 1000));
    assertThat(own + others + ledger.reservedBytes() + known(ledger, Item.DEVICE_FREE))
        .isEqualTo(16 * GIB);
    assertThat(report.verdict().cause()).isEqualTo(Cause.OUTSIDE_ALLOCATOR);
    assertThat(report.verdict().sentence())
        .contains("by other processes", "by this process (the CUDA context, libraries)");
    assertThat(report.counterfactuals().row(Counterfactuals.Name.WITHOUT_OTHERS).sentence())
        .contains("by other processes", "by this process");
    assertThat(report.counterfactuals().rows())
        .noneMatch(row -> row.sentence().contains("From the"));
    assertThat(ledger.rows())
        .filteredOn(row -> row.item() == Item.OTHER_PROCESSES)
        .singleElement()
        .satisfies(row -> assertThat(row.source()).contains("process 4711 with 11.5 GiB"));
  }

  private static Offset<Long> within(long bytes) {
    return Offset.offset(bytes);
  }

  /** In a container this process has another number, but there is no room for it twice. */
  @Test
  void onlyProcessThatCanBeThisOneIsThisOne() {
    RecordedFailure failure = failure("live_plain");
    String mine =
        message(failure).replace("is free. ", "is free. Process 1 has 14.65 GiB memory in use. ");
    Ledger ledger = report(failure, added(failure, mine)).ledger();
    assertThat(known(ledger, Item.OUTSIDE_ALLOCATOR)).isLessThan(GIB / 100);
    RecordedFailure outside = failure("others_hold_most");
    String unclear =
        message(outside).replace("is free. ", "is free. Process 1 has 12.00 GiB memory in use. ");
    Ledger open = report(outside, added(outside, unclear)).ledger();
    assertThat(open.amount(Item.OUTSIDE_ALLOCATOR)).isInstanceOf(Amount.Unknown.class);
    assertThat(open.amount(Item.OTHER_PROCESSES)).isInstanceOf(Amount.Unknown.class);
    assertThat(open.remainder()).isInstanceOf(Amount.Known.class);
  }

  @Test
  void tableOfNvidiaSmiNamesOtherProcessesAsAnEstimate() {
    RecordedFailure failure = failure("others_hold_most");
    OomReport report =
        report(
            failure,
            added(
                failure,
                """
                |   0  NVIDIA A2                      On  | 00000000:07:00.0 Off |          0 |
                | N/A   30C    P0              44W /  60W |  12290MiB / 16384MiB |  Default |
                | Processes:                                                            |
                |    0   N/A  N/A      4711      C   other.py                  12288MiB |
                """));
    assertThat(report.verdict().cause()).isEqualTo(Cause.OUTSIDE_ALLOCATOR);
    assertThat(report.verdict().certainty()).isEqualTo(Certainty.LIKELY);
    assertThat(report.verdict().caveats())
        .anyMatch(each -> each.startsWith("Estimated: nvidia-smi"));
    assertThat(report.counterfactuals().row(Counterfactuals.Name.WITHOUT_OTHERS).sentence())
        .contains("Estimated: nvidia-smi");
    Ledger ledger = report.ledger();
    assertThat(known(ledger, Item.OTHER_PROCESSES)).isGreaterThan(11 * GIB);
    assertThat(ledger.totalSource()).startsWith("Estimated: nvidia-smi shows 16 GiB");
    assertThat(ledger.rows().stream().mapToLong(row -> known(ledger, row.item())).sum())
        .isEqualTo(16 * GIB);
  }

  /** A fraction that the program has set by a call is not among the settings of the file. */
  @Test
  void messageHasTheLimitThatTheProgramHasSet() {
    RecordedFailure failure = failure("fraction");
    RecordedFailure withoutSettings =
        new RecordedFailure(
            "fraction by a call",
            new Snapshot(
                failure.snapshot().origin(),
                Optional.empty(),
                failure.snapshot().devices(),
                failure.snapshot().stacks(),
                failure.snapshot().findings()),
            failure.truth());
    Verdict unknown = withoutSettings.report().verdict();
    assertThat(unknown.cause()).isEqualTo(Cause.LIMIT);
    assertThat(unknown.caveats())
        .contains("A snapshot does not contain the memory limits of the allocator.");
    OomReport report = report(withoutSettings, added(withoutSettings, message(failure)));
    assertThat(report.verdict().cause()).isEqualTo(Cause.LIMIT);
    assertThat(report.verdict().sentence()).contains("The allocator may hold 8 GiB");
    assertThat(report.verdict().caveats())
        .containsExactly("The allocator's settings were not recorded; the defaults are assumed.");
  }

  @Test
  void textsOfOtherRunsAreRefusedWithTheirNumbers() {
    RecordedFailure failure = failure("others_hold_most");
    String text = message(failure);
    assertThat(contradiction(failure, text.replace("allocate 2.00", "allocate 3.00")))
        .contains("3 GiB", "in the recording 2 GiB");
    assertThat(contradiction(failure, text.replace("1.27 GiB is free", "1.37 GiB is free")))
        .contains("1.37 GiB", "was free, in the recording 1.27 GiB");
    assertThat(contradiction(failure, text.replace("memory 2.73", "memory 2.90")))
        .contains("allocated 2.9 GiB", "in the recording 2.73 GiB");
    assertThat(contradiction(failure, text.replace("capacity of 16.00", "capacity of 2.00")))
        .contains("2 GiB", "at least 4 GiB");
    assertThat(contradiction(failure, text.replace("GPU 0", "GPU 5"))).contains("GPU 5");
    assertThat(contradiction(failure, "Tried to allocate 2.00 GiB"))
        .isEqualTo("The message has no total capacity of the device");
    assertThat(contradiction(failure, "NVIDIA GTX 1050 2GB")).contains("2 GiB", "at least 4 GiB");
    assertThat(contradiction(failure, "index, name, memory.total [MiB]\n0, NVIDIA X, 2048 MiB"))
        .contains("nvidia-smi shows 2 GiB for GPU 0");
    assertThat(
            contradiction(
                failure, "index, name, memory.total [MiB]\n1, A, 81920 MiB\n2, A, 81920 MiB"))
        .isEqualTo("The output of nvidia-smi has no GPU 0");
    assertThat(
            compare(
                failure,
                "index, name, memory.total [MiB]\n1, A, 81920 MiB\n2, A, 81920 MiB",
                OptionalInt.of(2)))
        .isInstanceOf(Result.Adds.class);
  }
}
