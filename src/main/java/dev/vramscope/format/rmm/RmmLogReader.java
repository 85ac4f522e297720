package dev.vramscope.format.rmm;

import dev.vramscope.format.BoundedLines;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the event logs of RMM ({@code rmm.reinitialize(logging=True)}, {@code RMM_LOG_FILE}): every
 * allocation and free with its address, size, stream and time, without stacks and segments. Lines
 * of other programs are skipped and counted.
 */
public final class RmmLogReader {
  /** The first lines of a log, or rows without a header as Spark writes them. */
  public static final Pattern MARK =
      Pattern.compile(
          "(?m)^(?:Thread,Time,Action,Pointer,Size,Stream|Event Type,Device ID,Address,Stream,"
              + "|[0-9]{1,10},[0-9]{2}:[0-9]{2}:[0-9]{2}[.:][0-9]{1,9},(?:allocate|free))");

  private static final String LEGACY_HEADER = "Event Type,Device ID,";
  private static final int MAX_LINE = 4000;
  private static final long DAY_MICROS = 86_400_000_000L;

  private final ReadLimits limits;
  private final Map<Integer, Trace.Builder> traces = new TreeMap<>();
  private boolean isLegacy;

  /** Sums of fewer bytes cannot overflow. */
  private static final long MAX_TOTAL = 1L << 61;

  private final Map<Integer, RmmRow> last = new TreeMap<>();
  private long total;
  private long events;
  private long skipped;
  private long days;
  private long lastMicros;
  private String firstSkipped = "";

  private RmmLogReader(ReadLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads an uncompressed log.
   *
   * @throws FormatException if it has no event, or too many
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    RmmLogReader log = new RmmLogReader(limits);
    BoundedLines lines =
        new BoundedLines(new InputStreamReader(file, StandardCharsets.UTF_8), MAX_LINE);
    String line = lines.next();
    for (long number = 1; line != null; number++) {
      log.add(line, number);
      line = lines.next();
    }
    return log.snapshot();
  }

  private void add(String line, long number) throws FormatException {
    if (line.startsWith(LEGACY_HEADER)) {
      isLegacy = true;
      return;
    }
    if (line.isBlank() || line.startsWith("Thread,Time,")) {
      return;
    }
    Optional<RmmRow> row = isLegacy ? RmmRow.ofLegacy(line) : RmmRow.of(line);
    if (row.isEmpty()) {
      if (skipped++ == 0) {
        firstSkipped = "line " + number;
      }
      return;
    }
    if (events++ >= limits.maxEvents()) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the log has more than " + limits.maxEvents() + " events",
          "line " + number,
          "Upload a part of it, or start the server with a larger heap (-Xmx).");
    }
    total += row.get().bytes();
    if (total > MAX_TOTAL) {
      throw new FormatException(
          Reason.MALFORMED,
          "the events have more bytes together than any program allocates",
          "line " + number,
          "The log is damaged: cut that part out.");
    }
    append(row.get());
  }

  private void append(RmmRow row) {
    Trace.Builder trace = traces.computeIfAbsent(row.device(), _ -> new Trace.Builder());
    int event =
        switch (row.action()) {
          case ALLOCATE -> trace.add(TraceAction.ALLOC, row.address(), row.bytes());
          case FREE -> trace.add(TraceAction.FREE_COMPLETED, row.address(), row.bytes());
          case FAIL -> {
            int failed = trace.add(TraceAction.OOM, 0, row.bytes());
            trace.oom(failed, row.bytes(), OomEvent.UNKNOWN);
            yield failed;
          }
        };
    trace.stream(event, row.stream());
    last.put(row.device(), row);
    if (row.micros() >= 0) {
      // The log has no date. More than half a day backwards is midnight, less is another thread.
      if (row.micros() + DAY_MICROS / 2 < lastMicros) {
        days++;
      }
      lastMicros = row.micros();
      trace.timeMicros(event, days * DAY_MICROS + row.micros());
    }
  }

  private Snapshot snapshot() throws FormatException {
    if (events == 0) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "the RMM log has no event",
          skipped > 0 ? firstSkipped : "the first line",
          "Free the pool or end the program before copying the log: RMM writes it in large"
              + " pieces.");
    }
    List<DeviceSnapshot> devices = new ArrayList<>();
    traces.forEach(
        (device, trace) ->
            devices.add(
                new DeviceSnapshot(
                    device, List.of(), trace.build(), List.of(), facts(last.get(device)))));
    return new Snapshot(
        new Origin(
            isLegacy ? "RMM event log (before 0.14)" : "RMM event log (CSV)", "RMM", Trace.NO_TIME),
        Optional.empty(),
        devices,
        StackTable.EMPTY,
        findings());
  }

  /** The logs of releases before 0.14 say how large the device is, and what was free. */
  private static AllocatorFacts facts(@Nullable RmmRow row) {
    OptionalLong size = OptionalLong.empty();
    OptionalLong free = OptionalLong.empty();
    if (row != null && row.deviceTotal() > 0 && row.deviceFree() <= row.deviceTotal()) {
      size = OptionalLong.of(row.deviceTotal());
      free = row.deviceFree() < 0 ? free : OptionalLong.of(row.deviceFree());
    }
    return new AllocatorFacts(
        AllocatorFamily.UNRECORDED, size, free, OptionalLong.empty(), /* isSimulated= */ false);
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        FindingKind.RMM_LOG.finding(
            1,
            isLegacy ? "" : ", and times of the day without a date",
            isLegacy ? "" : ", how large the device is, or what was free"));
    if (skipped > 0) {
      findings.add(FindingKind.LINES_SKIPPED.finding(skipped, skipped, firstSkipped));
    }
    return findings;
  }
}
