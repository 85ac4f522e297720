package dev.vramscope.format.bfclog;

import dev.vramscope.evidence.ChunkLine;
import dev.vramscope.format.BoundedLines;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.AllocatorDevices;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the verbose log of a BFC allocator as a trace of its run. Lines of other programs may stand
 * between those of the allocator; several allocators, also of several processes, are told apart by
 * their names and by who wrote the line.
 */
public final class VerboseLogReader {
  /** A line that a log without verbose lines does not have. */
  public static final Pattern MARK =
      Pattern.compile(
          "bfc_allocator\\.cc:[0-9]{1,6}\\] (?:\\[mem-debug\\] )?(?:De)?[Aa]llocateRaw[ ,]");

  private static final Pattern BEGIN =
      Pattern.compile("AllocateRaw (.{1,200}?) {1,2}([0-9]{1,18})(?: alignment=[0-9]{1,18})?");
  private static final Pattern END =
      Pattern.compile(
          "AllocateRaw (.{1,200}?) {1,2}([0-9]{1,18}) (0x[0-9a-f]{1,16}|0|\\(nil\\)|[0-9A-F]{16})");
  private static final Pattern FREE =
      Pattern.compile("DeallocateRaw (.{1,200}?) {1,2}([0-9]{1,18})");
  private static final Pattern WITH_STACK =
      Pattern.compile(
          "\\[mem-debug\\] (Allocate|Deallocate)Raw,([^,]{1,200}),([0-9]{1,18}),"
              + "(0x[0-9a-f]{1,16}|0|\\(nil\\)|[0-9A-F]{16}),.*");
  private static final Pattern EXTENDS =
      Pattern.compile("Extending allocation by [^ ]{1,40} bytes(?: for (.{1,200}))?\\.");
  private static final Pattern REGION =
      Pattern.compile(
          "Allocated memory at (?:0x)?([0-9A-Fa-f]{1,16}) to (?:0x)?([0-9A-Fa-f]{1,16})");
  private static final Pattern RELEASE =
      Pattern.compile("Deallocate region with ptr = (?:0x)?([0-9A-Fa-f]{1,16})");
  private static final Pattern RETURNING = Pattern.compile("Returning: (?:0x)?([0-9A-Fa-f]{1,16})");
  private static final Pattern PEAK =
      Pattern.compile("New Peak memory usage of ([0-9]{1,18}) bytes for (.{1,200})");
  private static final Pattern FAILURE =
      Pattern.compile(
          "Allocator \\(([^)]{1,200})\\) ran out of memory trying to allocate [^(]{1,60}"
              + "(?:\\(rounded to [0-9]{1,18}\\)[^\\n]{0,80}?requested by op ?([^\\n]{0,300}))?.*");
  private static final Pattern DUMP = Pattern.compile("BFCAllocator dump for (.{1,200})");
  private static final Pattern CHUNK = Pattern.compile(ChunkLine.PATTERN);

  private static final int MAX_LINE = 4000;

  private final ReadLimits limits;
  private final Map<String, AllocatorLog> allocators = new LinkedHashMap<>();
  private final Map<String, ThreadState> threads = new HashMap<>();
  private final StackText stacks;
  private @Nullable AllocatorLog dumped;
  private long line;
  private long events;
  private long unread;
  private long total;

  /** What was said last by one thread, to which its next lines belong. */
  private static final class ThreadState {
    private @Nullable AllocatorLog extending;
    private @Nullable AllocatorLog requesting;
    private int begin = -1;
    private int lastAllocation = -1;
    private int lastFree = -1;
    private long peak = -1;
    private boolean isTolerated;
    private String operation = "";
  }

  private VerboseLogReader(ReadLimits limits) {
    this.limits = limits;
    stacks = new StackText(limits);
  }

  /**
   * Reads an uncompressed log.
   *
   * @throws FormatException if it has no request, or too many
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    VerboseLogReader log = new VerboseLogReader(limits);
    BoundedLines lines =
        new BoundedLines(new InputStreamReader(file, StandardCharsets.UTF_8), MAX_LINE);
    for (String text = lines.next(); text != null; text = lines.next()) {
      log.add(text);
    }
    return log.snapshot();
  }

  private void add(String text) throws FormatException {
    line++;
    Optional<LineHead> head = LineHead.of(text);
    if (head.isEmpty()) {
      stacks.add(text);
      if (dumped != null) {
        dumped.limit().read(text); // The statistics at the end of a dump have no head.
      }
      return;
    }
    stacks.end();
    LineHead from = head.get();
    ThreadState thread =
        threads.computeIfAbsent(from.writer() + "\n" + from.thread(), _ -> new ThreadState());
    if (threads.size() > limits.maxEvents()) {
      throw tooLarge("threads");
    }
    String message = from.message();
    if (!message.isEmpty()) {
      switch (message.charAt(0)) {
        case 'A' -> allocation(from, thread, message);
        case 'D' -> free(from, thread, message);
        case '[' -> withStack(from, thread, message);
        case 'E' -> extend(from, thread, message);
        case 'R' -> returning(from, thread, message);
        case 'N' -> peak(from, thread, message);
        case 'B' -> dump(from, message);
        case 'I', 'F', 'C', 'T' -> dumpLine(message);
        default -> {
          // A bin, occupancy, or chunks that were merged.
        }
      }
    }
  }

  private AllocatorLog allocator(LineHead from, String name) throws FormatException {
    AllocatorLog log =
        allocators.computeIfAbsent(from.writer() + "\n" + name, _ -> new AllocatorLog(name));
    if (allocators.size() > limits.maxDevices()) {
      throw tooLarge("allocators");
    }
    return log;
  }

  private FormatException tooLarge(String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        "the log has more " + what + " than fit into the heap",
        "line " + line,
        "Upload a part of it, or start the server with a larger heap (-Xmx).");
  }

  private int row(AllocatorLog log, byte kind, long address, long bytes, LineHead from)
      throws FormatException {
    // A row takes as much again while it becomes an event.
    if (events++ >= limits.maxEvents() / 3) {
      throw tooLarge("requests and frees");
    }
    return log.rows().add(kind, address, bytes, from.micros());
  }

  /**
   * The size of a request; -1 if it is none that a device could serve, and the line is left out.
   */
  private long size(String digits) {
    long bytes = Long.parseLong(digits);
    if (bytes >= ByteSize.MAX_BYTES || total > 1L << 61) {
      unread++;
      return -1;
    }
    total += bytes;
    return bytes;
  }

  private static long address(String text) {
    if (text.equals("0") || text.equals("(nil)")) {
      return 0;
    }
    long address = Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, 16);
    return Math.max(0, address);
  }

  private void allocation(LineHead from, ThreadState thread, String message)
      throws FormatException {
    if (message.startsWith("Allocator (")) {
      failure(from, thread, message);
      return;
    }
    if (message.startsWith("Allocated ")) {
      Matcher region = REGION.matcher(message);
      if (region.matches()) {
        acquire(from, thread, region);
      }
      return;
    }
    Matcher end = END.matcher(message);
    Matcher begin = BEGIN.matcher(message);
    if (end.matches()) {
      end(from, thread, end);
    } else if (begin.matches()) {
      AllocatorLog log = allocator(from, begin.group(1));
      long bytes = size(begin.group(2));
      thread.requesting = log;
      thread.begin = bytes <= 0 || log.hasEnds() ? -1 : row(log, Rows.BEGIN, 0, bytes, from);
      thread.peak = -1;
      thread.isTolerated = false;
      thread.operation = "";
    }
  }

  private void end(LineHead from, ThreadState thread, Matcher end) throws FormatException {
    AllocatorLog log = allocator(from, end.group(1));
    log.endsRequests();
    long bytes = size(end.group(2));
    long address = address(end.group(3));
    thread.lastAllocation = -1;
    if (bytes <= 0) {
      return;
    }
    byte kind = address != 0 ? Rows.ALLOCATE : thread.isTolerated ? Rows.TOLERATED : Rows.FAIL;
    int row = row(log, kind, address, bytes, from);
    if (kind == Rows.FAIL && !thread.operation.isEmpty()) {
      log.rows().stack(row, stacks.operation(thread.operation));
    }
    log.rows().total(row, address == 0 ? -1 : thread.peak);
    thread.lastAllocation = row;
    thread.requesting = log;
    thread.peak = -1;
    thread.isTolerated = false;
    thread.operation = "";
  }

  private void free(LineHead from, ThreadState thread, String message) throws FormatException {
    Matcher release = RELEASE.matcher(message);
    if (message.startsWith("Deallocate region") && release.matches()) {
      long address = address("0x" + release.group(1));
      for (AllocatorLog log : allocators.values()) {
        row(log, Rows.RELEASE, address, 0, from);
      }
      return;
    }
    Matcher free = FREE.matcher(message);
    if (free.matches()) {
      long bytes = size(free.group(2));
      AllocatorLog log = allocator(from, free.group(1));
      thread.lastFree = bytes <= 0 ? -1 : row(log, Rows.FREE, 0, bytes, from);
      thread.requesting = log;
    }
  }

  /** The address of a free, and the stack of a request; without the line before it, the event. */
  private void withStack(LineHead from, ThreadState thread, String message) throws FormatException {
    Matcher event = WITH_STACK.matcher(message);
    if (!event.matches()) {
      return;
    }
    AllocatorLog log = allocator(from, event.group(2));
    long bytes = size(event.group(3));
    long address = address(event.group(4));
    if (bytes <= 0) {
      return;
    }
    if (event.group(1).equals("Deallocate")) {
      int row = thread.lastFree;
      thread.lastFree = -1;
      if (isRow(log, row, Rows.FREE, bytes) && log.rows().address(row) == 0) {
        log.rows().address(row, address);
      } else {
        row(log, Rows.FREE, address, bytes, from);
      }
      return;
    }
    int row = thread.lastAllocation;
    thread.lastAllocation = -1;
    if (!isRow(log, row, Rows.ALLOCATE, bytes) || log.rows().address(row) != address) {
      if (address == 0) {
        return;
      }
      log.endsRequests();
      row = row(log, Rows.ALLOCATE, address, bytes, from);
    }
    int allocated = row;
    stacks.begin(stack -> log.rows().stack(allocated, stack));
  }

  private static boolean isRow(AllocatorLog log, int row, byte kind, long bytes) {
    return row >= 0
        && row < log.rows().size()
        && log.rows().kind(row) == kind
        && log.rows().bytes(row) == bytes;
  }

  private void extend(LineHead from, ThreadState thread, String message) throws FormatException {
    Matcher extend = EXTENDS.matcher(message);
    if (extend.matches()) {
      thread.extending =
          extend.group(1) == null ? thread.requesting : allocator(from, extend.group(1));
    }
  }

  private void acquire(LineHead from, ThreadState thread, Matcher region) throws FormatException {
    long address = address("0x" + region.group(1));
    long end = address("0x" + region.group(2));
    AllocatorLog log = thread.extending;
    thread.extending = null;
    if (log == null || address == 0 || end <= address || end - address >= ByteSize.MAX_BYTES) {
      unread++;
      return;
    }
    row(log, Rows.REGION, address, end - address, from);
  }

  /** The request that began is served, after what was done for it. */
  private void returning(LineHead from, ThreadState thread, String message) throws FormatException {
    Matcher returning = RETURNING.matcher(message);
    AllocatorLog log = thread.requesting;
    if (returning.matches() && log != null && thread.begin >= 0) {
      long bytes = log.rows().bytes(thread.begin);
      log.rows().kind(thread.begin, Rows.NOTHING);
      row(log, Rows.RETURNED, address("0x" + returning.group(1)), bytes, from);
      thread.begin = -1;
    }
  }

  private void peak(LineHead from, ThreadState thread, String message) throws FormatException {
    Matcher peak = PEAK.matcher(message);
    if (peak.matches()) {
      AllocatorLog log = allocator(from, peak.group(2));
      thread.peak = log == thread.requesting ? Long.parseLong(peak.group(1)) : -1;
    }
  }

  private void failure(LineHead from, ThreadState thread, String message) throws FormatException {
    Matcher failure = FAILURE.matcher(message);
    if (!failure.matches()) {
      return;
    }
    AllocatorLog log = allocator(from, failure.group(1));
    thread.isTolerated = message.contains("The caller indicates that this is not a failure");
    thread.operation = failure.group(2) == null ? thread.operation : failure.group(2).strip();
    if (thread.begin >= 0 && log == thread.requesting) {
      // Of a log that has the results of requests, this row is none anyway.
      log.rows().kind(thread.begin, thread.isTolerated ? Rows.TOLERATED_BEGIN : Rows.FAILED_BEGIN);
      if (!thread.operation.isEmpty()) {
        log.rows().stack(thread.begin, stacks.operation(thread.operation));
      }
    }
  }

  private void dump(LineHead from, String message) throws FormatException {
    Matcher dump = DUMP.matcher(message);
    if (dump.matches()) {
      dumped = allocator(from, dump.group(1).strip());
      dumped.beginDump();
    }
  }

  private void dumpLine(String message) throws FormatException {
    if (dumped == null) {
      return;
    }
    Matcher chunk = CHUNK.matcher(message);
    if (chunk.find()) {
      dumped.dump().add(ChunkLine.of(chunk));
      if (dumped.dump().size() > limits.maxBlocks()) {
        throw tooLarge("chunks");
      }
    } else {
      dumped.limit().read(message);
    }
  }

  private Snapshot snapshot() throws FormatException {
    stacks.end();
    List<AllocatorLog> logs = allocators.values().stream().filter(AllocatorLog::hasEvents).toList();
    if (logs.isEmpty()) {
      throw new FormatException(
          Reason.TEXT,
          "this log of the BFC allocator has no request (“AllocateRaw”)",
          "line " + line,
          "Write it with TF_CPP_VMODULE=bfc_allocator=4 and TF_CPP_MAX_VLOG_LEVEL=4, from the start"
              + " of the program.");
    }
    AllocatorDevices numbers = new AllocatorDevices();
    List<DeviceSnapshot> devices = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean hasSegments = true;
    for (AllocatorLog log : logs) {
      int number = numbers.number(log.name(), logs.size() == 1);
      DeviceSnapshot device = log.device(number, findings);
      hasSegments &= !device.segments().isEmpty();
      devices.add(device);
      names.add(AllocatorDevices.named(log.name(), number));
    }
    if (unread > 0) {
      findings.add(
          FindingKind.BFC_EVENTS_DIFFER.finding(
              unread,
              devices.getFirst().ordinal(),
              unread + " lines have sizes or addresses that no device has, and are left out"));
    }
    findings.addFirst(
        FindingKind.BFC_EVENTS.finding(
            1,
            String.join(", ", names),
            hasSegments ? "with the regions of the pool" : "without the regions of the pool",
            stacks.hasFrames() ? "the memory of other programs" : "the code that made them"));
    return new Snapshot(
        new Origin(
            "verbose log of the BFC allocator", Origin.xla(logs.getFirst().name()), Trace.NO_TIME),
        Optional.empty(),
        AllocatorDevices.gpus(devices),
        AllocatorDevices.pinned(devices),
        stacks.table(),
        findings);
  }
}
