package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Annotation;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The contents of a file, to be assembled by device. */
record SnapshotParts(
    SegmentRows segments,
    TraceRows events,
    SettingRows settings,
    AnnotationRows annotations,
    FactRows facts,
    StackRows stacks,
    FindingCounter findings,
    ReadLimits limits) {

  private static final int NO_DEVICE = Integer.MAX_VALUE;

  Snapshot assemble(String format, long seenKeys) throws FormatException {
    TreeSet<Integer> ordinals = new TreeSet<>(segments.devices().keySet());
    ordinals.addAll(events.traces().keySet());
    ordinals.addAll(facts.ordinals());
    int first = Objects.requireNonNullElse(ordinals.ceiling(0), NO_DEVICE);
    List<DeviceSnapshot> devices = new ArrayList<>();
    long captureMicros = facts.captureMicros();
    for (int ordinal : ordinals) {
      Trace.Builder builder = events.traces().get(ordinal);
      Trace trace = builder == null ? Trace.EMPTY : builder.build();
      if (facts.captureMicros() == Trace.NO_TIME) {
        captureMicros = Math.max(captureMicros, lastMicros(trace));
      }
      devices.add(
          new DeviceSnapshot(
              ordinal,
              sorted(segments.devices().getOrDefault(ordinal, List.of())),
              trace,
              annotations(ordinal, ordinal == first, ordinals),
              facts.of(ordinal)));
    }
    StackTable table = stacks.build();
    Optional<AllocatorSettings> recorded = settings.build();
    boolean anyEvents = devices.stream().anyMatch(device -> !device.trace().isEmpty());
    String producer =
        facts.producer().orElseGet(() -> Producer.describe(seenKeys, recorded, anyEvents));
    // A finding of the first reading that occurs again is not repeated.
    List<Finding> allFindings = new ArrayList<>(facts.findings());
    Set<String> codes = allFindings.stream().map(Finding::code).collect(Collectors.toSet());
    findings.toFindings(limits.maxStackFrames()).stream()
        .filter(finding -> !codes.contains(finding.code()))
        .forEach(allFindings::add);
    return new Snapshot(
        new Origin(format, producer, captureMicros),
        recorded,
        devices.stream().filter(device -> !device.isPinnedHost()).toList(),
        devices.stream().filter(DeviceSnapshot::isPinnedHost).findFirst(),
        table,
        allFindings);
  }

  private List<Segment> sorted(List<Segment> unsorted) {
    List<Segment> sorted = new ArrayList<>(unsorted);
    sorted.sort(Comparator.comparing(Segment::address, Long::compareUnsigned));
    for (int i = 1; i < sorted.size(); i++) {
      if (Long.compareUnsigned(sorted.get(i).address(), sorted.get(i - 1).end()) < 0) {
        findings.count(FindingKind.SEGMENTS_OVERLAP);
      }
    }
    return sorted;
  }

  // Annotations without a device, or of a device without other data, go to the first device.
  private List<Annotation> annotations(int ordinal, boolean isFirst, TreeSet<Integer> ordinals) {
    List<Annotation> deviceAnnotations = new ArrayList<>();
    for (Map.Entry<Integer, List<Annotation>> entry : annotations.devices().entrySet()) {
      if (entry.getKey() == ordinal || (isFirst && !ordinals.contains(entry.getKey()))) {
        deviceAnnotations.addAll(entry.getValue());
      }
    }
    deviceAnnotations.sort(Comparator.comparingLong(Annotation::timeMicros));
    return deviceAnnotations;
  }

  // A time before 1970 is not valid.
  private static long lastMicros(Trace trace) {
    long last = trace.isEmpty() ? Trace.NO_TIME : trace.timeMicros(trace.size() - 1);
    return last > 0 ? last : Trace.NO_TIME;
  }
}
