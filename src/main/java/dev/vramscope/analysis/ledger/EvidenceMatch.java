package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.ledger.DeviceEvidence.Holders;
import dev.vramscope.analysis.ledger.DeviceEvidence.Size;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.evidence.DeviceName;
import dev.vramscope.evidence.Evidence;
import dev.vramscope.evidence.FailureText;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.evidence.SmiText;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Compares a text with the recording of a device: what it adds, or why it is not about this
 * recording. The message of a failure belongs to the failure whose numbers it has.
 */
public final class EvidenceMatch {
  private static final int MAX_LISTED = 5;

  private final DeviceSnapshot device;
  private final Lifetimes lifetimes;
  private final SizeRules sizes;
  private final RecordedDevice recorded;

  /** The recording of a device. */
  public EvidenceMatch(
      DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active, SizeRules sizes) {
    this.device = device;
    this.lifetimes = lifetimes;
    this.sizes = sizes;
    recorded = new RecordedDevice(device, active, DeviceEvidence.NONE);
  }

  /** The result of a comparison. */
  public sealed interface Result {
    /**
     * The text is about this recording.
     *
     * @param match what was compared and how sure it is, for a text that is joined; else empty
     */
    record Adds(DeviceEvidence evidence, String match) implements Result {
      Adds(DeviceEvidence evidence) {
        this(evidence, "");
      }
    }

    /**
     * The text is about something else, or does not say enough.
     *
     * @param what the contradiction with its numbers, a sentence without its end
     * @param next what to do, as a sentence
     */
    record Contradicts(String what, String next) implements Result {}
  }

  /**
   * Compares a text.
   *
   * @param gpu the index of the device in the text; by default that of the recording
   */
  public Result compare(Evidence text, OptionalInt gpu) {
    return switch (text) {
      case FailureText message -> message(message);
      case SmiText smi -> smi(smi, gpu);
      case DeviceName name -> name(name);
      case PoolText pool -> PoolMatch.compare(device, pool);
    };
  }

  private Result message(FailureText message) {
    if (message.total().isEmpty()) {
      return new Result.Contradicts(
          "The message has no total capacity of the device",
          "Paste the whole message, from \"Tried to allocate\" to \"reserved\".");
    }
    if (message.device().isPresent() && message.device().getAsInt() != device.ordinal()) {
      return new Result.Contradicts(
          "The message is about GPU "
              + message.device().getAsInt()
              + ", the recording about device "
              + device.ordinal(),
          "Choose the device that the message names, or paste the message of this one.");
    }
    Quantity total = message.total().get();
    RecordedDevice.Bound least = recorded.lowerBound();
    if (total.mostBytes() < least.bytes()) {
      return tooSmall("The message has a total capacity of " + text(total), least);
    }
    List<OomEvent> failures = new ArrayList<>(device.trace().ooms());
    if (!failures.isEmpty()) {
      Optional<Result> contradiction = keepMatching(failures, message);
      if (contradiction.isPresent()) {
        return contradiction.get();
      }
    }
    Size size =
        new Size(
            Math.max(total.bytes(), least.bytes()), // The bound is within the rounding.
            Math.max(total.leastBytes(), least.bytes()),
            total.mostBytes(),
            /* isEstimated= */ false,
            "From the message: total capacity " + text(total));
    List<Holders> holders =
        failures.stream()
            .map(
                failure ->
                    new Holders(
                        failure.event(),
                        message.free(),
                        message.allowed(),
                        message.thisProcess(),
                        message.otherProcesses(),
                        /* areAll= */ false,
                        "The message"))
            .toList();
    return new Result.Adds(new DeviceEvidence(Optional.of(size), holders));
  }

  /** Removes the failures that the message is not about; a contradiction if none remains. */
  private Optional<Result> keepMatching(List<OomEvent> failures, FailureText message) {
    List<OomEvent> all = List.copyOf(failures);
    failures.removeIf(
        failure -> message.requested().map(each -> !isRequest(each, failure)).orElse(false));
    if (failures.isEmpty()) {
      return Optional.of(
          other(
              "The message is about a request for " + text(message.requested().orElseThrow()),
              all.stream().map(failure -> ByteText.of(failure.requestedBytes())).toList()));
    }
    List<OomEvent> requested = List.copyOf(failures);
    failures.removeIf(
        failure ->
            failure.deviceFreeBytes() != OomEvent.UNKNOWN
                && message
                    .free()
                    .map(each -> !each.mayBe(failure.deviceFreeBytes()))
                    .orElse(false));
    if (failures.isEmpty()) {
      return Optional.of(
          other(
              "In the message, " + text(message.free().orElseThrow()) + " of the device was free",
              requested.stream().map(failure -> ByteText.of(failure.deviceFreeBytes())).toList()));
    }
    List<OomEvent> free = List.copyOf(failures);
    failures.removeIf(failure -> !hasAllocated(message, failure));
    return failures.isEmpty()
        ? Optional.of(
            other(
                "In the message, PyTorch had allocated " + text(message.allocated().orElseThrow()),
                free.stream().map(failure -> ByteText.of(allocated(state(failure)))).toList()))
        : Optional.empty();
  }

  /** PyTorch's message has the size that it asked the driver for. */
  private boolean isRequest(Quantity requested, OomEvent failure) {
    long rounded = sizes.roundedBytes(failure.requestedBytes());
    return requested.mayBe(failure.requestedBytes())
        || (device.facts().family() == AllocatorFamily.CACHING
            && (requested.mayBe(rounded) || requested.mayBe(sizes.segmentBytes(rounded))));
  }

  /** Whether the allocated bytes agree, as far as the state at the failure is known exactly. */
  private boolean hasAllocated(FailureText message, OomEvent failure) {
    if (message.allocated().isEmpty()) {
      return true;
    }
    AllocatorState state = state(failure);
    boolean isExact =
        state.findings().isEmpty()
            && state.segments().stream().noneMatch(segment -> segment.pool().isPrivate());
    Quantity allocated = message.allocated().get();
    return !isExact
        || Math.abs(allocated.bytes() - allocated(state))
            <= allocated.errorBytes() + state.ambiguousBytes();
  }

  private AllocatorState state(OomEvent failure) {
    return AllocatorState.at(device, lifetimes, sizes, failure.event());
  }

  private static long allocated(AllocatorState state) {
    return state.segments().stream().mapToLong(Segment::allocatedBytes).sum();
  }

  private static Result other(String statement, List<String> recorded) {
    String numbers =
        recorded.stream().distinct().limit(MAX_LISTED).collect(Collectors.joining(", "));
    return new Result.Contradicts(
        statement + ", in the recording " + numbers,
        "Use the message of a failure of this recording, from the same run.");
  }

  private Result smi(SmiText smi, OptionalInt gpu) {
    if (smi.isDivided()) {
      return new Result.Contradicts(
          "The GPU is divided into MIG devices",
          "Use the total capacity in PyTorch's message: it is that of the part that the program"
              + " used.");
    }
    Optional<SmiText.Gpu> chosenGpu =
        smi.gpus().stream()
            .filter(each -> each.index() == gpu.orElse(device.ordinal()))
            .findFirst()
            .or(
                () ->
                    gpu.isEmpty() && smi.gpus().size() == 1
                        ? Optional.of(smi.gpus().getFirst())
                        : Optional.empty());
    if (chosenGpu.isEmpty()) {
      return new Result.Contradicts(
          "The output of nvidia-smi has no GPU " + gpu.orElse(device.ordinal()),
          "Choose the GPU: "
              + smi.gpus().stream().map(each -> "" + each.index()).collect(Collectors.joining(", "))
              + ".");
    }
    SmiText.Gpu smiGpu = chosenGpu.get();
    RecordedDevice.Bound least = recorded.lowerBound();
    if (smiGpu.total().mostBytes() < least.bytes()) {
      return tooSmall(
          "nvidia-smi shows " + ByteText.of(smiGpu.total().bytes()) + " for GPU " + smiGpu.index(),
          least);
    }
    Size size =
        estimated(
            Math.max(smiGpu.total().bytes(), least.bytes()),
            "Estimated: nvidia-smi shows "
                + ByteText.of(smiGpu.total().bytes())
                + (smiGpu.name().isEmpty() ? "" : " (" + smiGpu.name() + ")")
                + ", of which the driver keeps a part for itself");
    Holders holders =
        new Holders(
            Holders.ANOTHER_TIME,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            smiGpu.processes(),
            smiGpu.hasAllProcesses(),
            "nvidia-smi");
    return new Result.Adds(new DeviceEvidence(Optional.of(size), List.of(holders)));
  }

  private Result name(DeviceName name) {
    RecordedDevice.Bound least = recorded.lowerBound();
    if (name.nominalBytes() < least.bytes()) {
      return tooSmall(
          "A device with the name "
              + name.name()
              + " has at most "
              + ByteText.of(name.nominalBytes()),
          least);
    }
    Size size =
        estimated(
            name.nominalBytes(),
            "Estimated: a device with the name "
                + name.name()
                + " has a nominal memory of "
                + ByteText.of(name.nominalBytes())
                + ", of which programs see less");
    return new Result.Adds(new DeviceEvidence(Optional.of(size), List.of()));
  }

  private static Size estimated(long bytes, String source) {
    return new Size(bytes, bytes, bytes, /* isEstimated= */ true, source);
  }

  private static Result tooSmall(String statement, RecordedDevice.Bound least) {
    return new Result.Contradicts(
        statement
            + ", but the recording shows at least "
            + ByteText.of(least.bytes())
            + " ("
            + least.reason().substring(0, 1).toLowerCase(Locale.ROOT)
            + least.reason().substring(1)
            + ")",
        "Use a text about the device of this recording.");
  }

  /** "16 GiB ± 5.12 MiB (rounded in the text)". */
  private static String text(Quantity quantity) {
    return ByteText.of(quantity.bytes())
        + (quantity.errorBytes() == 0
            ? ""
            : " ± " + ByteText.of(quantity.errorBytes()) + " (rounded in the text)");
  }
}
