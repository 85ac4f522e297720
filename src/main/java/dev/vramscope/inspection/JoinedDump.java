package dev.vramscope.inspection;

import dev.vramscope.analysis.ledger.PoolMatch;
import dev.vramscope.analysis.ledger.PoolMatch.Agreement;
import dev.vramscope.analysis.ledger.PoolMatch.Compared;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.evidence.ChunkLine;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Block;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A dump without the request that failed, and the log of the same moment, which a user has attached
 * or an upload was found to be: the request of the log becomes the failure of the dump, with the
 * limit of the pool and, if only the log has them, the programs that allocated the chunks.
 */
final class JoinedDump {
  private final DeviceSnapshot device;
  private final PoolText text;
  private final Agreement agreement;
  private final StackTable.Builder stacks;

  private JoinedDump(
      DeviceSnapshot device, PoolText text, Agreement agreement, StackTable.Builder stacks) {
    this.device = device;
    this.text = text;
    this.agreement = agreement;
    this.stacks = stacks;
  }

  /** Whether a log can add the request that failed. */
  static boolean isPossible(Snapshot snapshot) {
    return snapshot.devices().stream().anyMatch(DeviceSnapshot::isFailedRequestUnknown);
  }

  /** The snapshot with the requests of the texts; the same if none belongs to it. */
  static Snapshot of(Snapshot snapshot, List<AttachedText> texts) {
    boolean hasStacks = snapshot.stacks().nodeCount() > StackTable.EMPTY.nodeCount();
    StackTable.Builder stacks = new StackTable.Builder();
    List<DeviceSnapshot> devices = new ArrayList<>();
    for (DeviceSnapshot device : snapshot.devices()) {
      devices.add(
          join(device, texts, stacks)
              .map(joined -> joined.device(/* isNamed= */ !hasStacks))
              .orElse(device));
    }
    return devices.equals(snapshot.devices())
        ? snapshot
        : new Snapshot(
            snapshot.origin(),
            snapshot.settings(),
            devices,
            snapshot.pinnedHost(),
            hasStacks ? snapshot.stacks() : stacks.build(),
            snapshot.findings());
  }

  /** The first text that belongs to a device; one of which that is certain comes before others. */
  private static Optional<JoinedDump> join(
      DeviceSnapshot device, List<AttachedText> texts, StackTable.Builder stacks) {
    if (!device.isFailedRequestUnknown()) {
      return Optional.empty();
    }
    List<JoinedDump> joined = new ArrayList<>();
    for (AttachedText attached : texts) {
      Optional<PoolText> text =
          attached.device() == device.ordinal()
              ? PoolText.parse(attached.text())
              : Optional.empty();
      if (text.isPresent()
          && PoolMatch.agreement(device, text.get())
              instanceof Compared.Same(Agreement agreement)) {
        joined.add(new JoinedDump(device, text.get(), agreement, stacks));
      }
    }
    return joined.stream()
        .filter(each -> each.agreement.certainty() == Certainty.CERTAIN)
        .findFirst()
        .or(() -> joined.stream().findFirst());
  }

  private DeviceSnapshot device(boolean isNamed) {
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.OOM, 0, text.requestedBytes());
    trace.oom(row, text.requestedBytes(), OomEvent.UNKNOWN);
    return new DeviceSnapshot(
        device.ordinal(),
        isNamed ? named() : device.segments(),
        trace.build(),
        device.annotations(),
        AllocatorFacts.ofDump(limit(), pool()));
  }

  private OptionalLong limit() {
    return device.facts().limitBytes().isPresent()
        ? device.facts().limitBytes()
        : text.limit().bytes(device.reservedBytes(), text.requestedBytes());
  }

  private PoolRecord pool() {
    Optional<PoolRecord> recorded = device.facts().pool();
    return new PoolRecord(
        recorded.map(PoolRecord::requestedInUse).orElse(List.of()),
        recorded.map(PoolRecord::fragmentation).orElse(OptionalDouble.empty()),
        agreement.certainty() == Certainty.CERTAIN
            ? ""
            : "The request is from an attached log, which may be that of another moment: "
                + agreement.what()
                + ".");
  }

  /** The regions, with the programs that the log names. */
  private List<Segment> named() {
    Map<Long, String> programs =
        text.chunks().stream()
            .filter(each -> !each.isFree() && !each.operation().isEmpty())
            .collect(
                Collectors.toMap(ChunkLine::address, ChunkLine::operation, (first, _) -> first));
    return device.segments().stream().map(segment -> named(segment, programs)).toList();
  }

  private Segment named(Segment segment, Map<Long, String> programs) {
    return new Segment(
        segment.address(),
        segment.bytes(),
        segment.stream(),
        segment.kind(),
        segment.pool(),
        segment.expandable(),
        segment.stack(),
        segment.blocks().stream()
            .map(block -> named(block, programs.get(block.address())))
            .toList());
  }

  private Block named(Block block, @Nullable String program) {
    return program == null
        ? block
        : new Block(
            block.address(),
            block.bytes(),
            block.requestedBytes(),
            block.state(),
            stacks.stack(List.of(new Frame(program, "", 0))));
  }
}
