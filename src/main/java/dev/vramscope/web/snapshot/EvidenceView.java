package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.EvidenceMatch.Result;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.evidence.DeviceName;
import dev.vramscope.evidence.Evidence;
import dev.vramscope.evidence.FailureText;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.evidence.ProcessUse;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.evidence.SmiText;
import dev.vramscope.inspection.AttachedEvidence;
import dev.vramscope.web.display.DisplayFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An attached text as pages and JSON show it.
 *
 * @param number its number among the texts of the snapshot
 * @param device the ordinal of the device that it is about
 * @param gpu the index of the device in the text, if the user chose it
 * @param kind message, nvidia-smi, name or log
 * @param says what was understood, each a fact with its number
 * @param problem why it is not used, or null
 * @param text as attached
 */
public record EvidenceView(
    int number,
    int device,
    @Nullable Integer gpu,
    Instant added,
    String kind,
    List<String> says,
    @Nullable String problem,
    String text) {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int MAX_PROCESSES = 20;
  private static final int MAX_NAME = 120;

  public static List<EvidenceView> of(AttachedEvidence evidence) {
    return evidence.pieces().stream().map(EvidenceView::of).toList();
  }

  public static EvidenceView of(AttachedEvidence.Piece piece) {
    AttachedText text = piece.text();
    return new EvidenceView(
        text.number(),
        text.device(),
        text.gpu(),
        text.added(),
        piece.evidence().map(EvidenceView::kind).orElse("unknown"),
        piece.evidence().map(each -> says(each, piece)).orElse(List.of()),
        piece.result() instanceof Result.Contradicts(String what, String next)
            ? what + ". " + next
            : null,
        text.text());
  }

  private static String kind(Evidence evidence) {
    return switch (evidence) {
      case FailureText _ -> "message";
      case SmiText _ -> "nvidia-smi";
      case DeviceName _ -> "name";
      case PoolText _ -> "log";
    };
  }

  /** The title of the text for pages. */
  public String title() {
    return switch (kind) {
      case "message" -> "PyTorch's message";
      case "nvidia-smi" -> "Output of nvidia-smi";
      case "name" -> "Name of the device";
      case "log" -> "Log of the same moment";
      default -> "Not recognized";
    };
  }

  private static List<String> says(Evidence evidence, AttachedEvidence.Piece piece) {
    AttachedText text = piece.text();
    return switch (evidence) {
      case FailureText message -> ofMessage(message);
      case SmiText smi ->
          smi.gpus().stream()
              .filter(gpu -> smi.gpus().size() == 1 || gpu.index() == chosen(text))
              .flatMap(gpu -> ofGpu(gpu).stream())
              .toList();
      case PoolText pool -> ofPool(pool, piece);
      case DeviceName name ->
          List.of(
              FORMAT.elided(name.name(), MAX_NAME),
              "nominal memory "
                  + FORMAT.bytes(name.nominalBytes())
                  + " (estimated: programs see less)");
    };
  }

  private static List<String> ofPool(PoolText pool, AttachedEvidence.Piece piece) {
    List<String> says = new ArrayList<>();
    says.add("requested " + FORMAT.bytes(pool.requestedBytes()));
    if (!pool.operation().isEmpty()) {
      says.add("by the operation " + FORMAT.elided(pool.operation(), MAX_NAME));
    }
    if (piece.result() instanceof Result.Adds(DeviceEvidence _, String match) && !match.isEmpty()) {
      says.add("matched: " + match);
    }
    return says;
  }

  private static int chosen(AttachedText text) {
    Integer gpu = text.gpu();
    return gpu == null ? text.device() : gpu;
  }

  private static List<String> ofMessage(FailureText message) {
    List<String> says = new ArrayList<>();
    add(says, "requested ", message.requested());
    add(says, "device ", message.total());
    add(says, "free ", message.free());
    add(says, "this process ", message.thisProcess());
    addProcesses(says, message.otherProcesses());
    add(says, "allocator limited to ", message.allowed());
    add(says, "allocated ", message.allocated());
    add(says, "reserved ", message.reserved());
    add(says, "reserved but not allocated ", message.unallocated());
    return says;
  }

  private static List<String> ofGpu(SmiText.Gpu gpu) {
    List<String> says = new ArrayList<>();
    says.add(("GPU " + gpu.index() + " " + FORMAT.elided(gpu.name(), MAX_NAME)).strip());
    add(says, "device ", Optional.of(gpu.total()));
    add(says, "used ", gpu.used());
    addProcesses(says, gpu.processes());
    if (!gpu.hasAllProcesses()) {
      says.add("processes not listed, or without their memory");
    } else if (gpu.processes().isEmpty()) {
      says.add("no process");
    }
    return says;
  }

  private static void add(List<String> says, String what, Optional<Quantity> quantity) {
    quantity.ifPresent(
        value ->
            says.add(
                what
                    + FORMAT.bytes(value.bytes())
                    + (value.errorBytes() == 0 ? "" : " ± " + FORMAT.bytes(value.errorBytes()))));
  }

  private static void addProcesses(List<String> says, List<ProcessUse> processes) {
    for (ProcessUse each : processes.subList(0, Math.min(MAX_PROCESSES, processes.size()))) {
      String name = each.name().isEmpty() ? "" : " (" + FORMAT.elided(each.name(), MAX_NAME) + ")";
      add(says, "process " + each.pid() + name + " ", Optional.of(each.memory()));
    }
    if (processes.size() > MAX_PROCESSES) {
      says.add((processes.size() - MAX_PROCESSES) + " more processes");
    }
  }
}
