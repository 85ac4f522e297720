package dev.vramscope.format.xla;

import dev.vramscope.evidence.ChunkLine;
import dev.vramscope.evidence.PoolLimit;
import dev.vramscope.format.BoundedLines;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the dump that the BFC allocator of XLA and TensorFlow writes into the log when a request
 * fails: its chunks become segments and blocks, its first line the failed request. Other lines of
 * the log are skipped. A log with several dumps is read up to the second.
 */
public final class BfcDumpReader {
  /** What every dump has, within its first lines as a rule. */
  public static final Pattern MARK =
      Pattern.compile(
          "BFCAllocator dump for|\\b(?:InUse|Free {1,2}|Chunk) at (?:0x)?[0-9a-f]{6,16} (?:of"
              + " size|next)|Bin \\([0-9]{1,20}\\):\\s{1,9}Total Chunks");

  private static final Pattern CHUNK = Pattern.compile(ChunkLine.PATTERN);
  private static final Pattern REQUEST =
      Pattern.compile(
          "Allocator \\(([^)\\s]{1,80})\\) ran out of memory trying to allocate"
              + " [^(]{1,40}\\(rounded to ([0-9]{1,18})\\)");

  /** The lines between the message and the first chunk: those of the bins. */
  private static final int MAX_HEAD = 20_000;

  /** Longer lines are none of a dump. */
  private static final int MAX_LINE = 4000;

  private final Chunks chunks;
  private String allocator = "";
  private long requestedBytes = -1;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private boolean hasOperations;
  private final PoolLimit limit = new PoolLimit();
  private final RequestedInUse requestedInUse = new RequestedInUse();
  private long line;

  /** Who wrote the dump that is read; empty if the lines do not say it. */
  private String writer = "";

  private long otherDumpLines;
  private boolean isAfterChunks;

  /** The part of a log from its first dump on; empty if it has no chunk with an address. */
  public static Optional<String> cut(String log) {
    Matcher chunk = CHUNK.matcher(log);
    if (!chunk.find()) {
      return Optional.empty();
    }
    int message = log.lastIndexOf("ran out of memory trying to allocate", chunk.start());
    int dump = message >= 0 && message >= chunk.start() - MAX_HEAD ? message : chunk.start();
    return Optional.of(log.substring(log.lastIndexOf('\n', dump) + 1));
  }

  private BfcDumpReader(ReadLimits limits) {
    chunks = new Chunks(limits);
  }

  /**
   * Reads an uncompressed text.
   *
   * @throws FormatException if it has no chunk with an address
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    BfcDumpReader dump = new BfcDumpReader(limits);
    BoundedLines lines =
        new BoundedLines(new InputStreamReader(file, StandardCharsets.UTF_8), MAX_LINE);
    String text = lines.next();
    while (text != null && dump.add(text)) {
      text = lines.next();
    }
    return dump.snapshot();
  }

  /** Adds a line; false if the next dump begins with it. */
  private boolean add(String written) throws FormatException {
    line++;
    LineWriter mark = LineWriter.of(written);
    String by = mark.name();
    String text = written.substring(mark.end());
    if (!by.equals(writer) && (chunks.count() > 0 || !allocator.isEmpty())) {
      boolean isOfDump = CHUNK.matcher(text).find() || REQUEST.matcher(text).find();
      otherDumpLines += isOfDump ? 1 : 0;
      // Lines without a mark may continue one with it: a log line of several lines has one mark.
      if (mark.isKnown() || isOfDump) {
        return true;
      }
    }
    Matcher request = REQUEST.matcher(text);
    if (request.find()) {
      if (chunks.count() > 0) {
        return false;
      }
      writer = by;
      allocator = request.group(1);
      requestedBytes = Long.parseLong(request.group(2));
    }
    if (text.contains("BFCAllocator dump for") && chunks.count() > 0) {
      return false;
    }
    Matcher chunk = CHUNK.matcher(text);
    if (chunk.find()) {
      if (isAfterChunks) {
        return false;
      }
      writer = by;
      add(ChunkLine.of(chunk));
    }
    isAfterChunks |= text.contains("Sum Total of in-use chunks");
    limit.read(text);
    requestedInUse.read(text);
    return true;
  }

  private void add(ChunkLine chunk) throws FormatException {
    boolean isNamed = !chunk.isFree() && !chunk.operation().isEmpty();
    hasOperations |= isNamed;
    chunks.add(
        new Block(
            chunk.address(),
            chunk.bytes(),
            Block.UNKNOWN,
            chunk.isFree() ? BlockState.INACTIVE : BlockState.ALLOCATED,
            isNamed ? stacks.stack(List.of(new Frame(chunk.operation(), "", 0))) : StackTable.NONE),
        "line " + line);
  }

  private Snapshot snapshot() throws FormatException {
    if (chunks.count() == 0) {
      throw new FormatException(
          Reason.TEXT,
          "this part of a BFC allocator’s dump has no chunk with its address",
          "the lines 'InUse at …' and 'Free at …'",
          "Parts are explained as a log; the whole dump is written with TF_CPP_MIN_LOG_LEVEL=0.");
    }
    return new Snapshot(
        new Origin("BFC allocator’s dump in a log", Origin.xla(allocator), Trace.NO_TIME),
        Optional.empty(),
        List.of(
            new DeviceSnapshot(
                AllocatorDevices.numberIn(allocator),
                chunks.segments(),
                trace(),
                List.of(),
                AllocatorFacts.ofDump(
                    limit.bytes(chunks.bytes(), requestedBytes), requestedInUse.record()))),
        stacks.build(),
        findings());
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        FindingKind.BFC_DUMP.finding(
            1, chunks.count(), hasOperations ? ", and the program that allocated each" : ""));
    long error = limit.errorBytes(chunks.bytes());
    if (error > 0) {
      findings.add(FindingKind.LIMIT_ROUNDED.finding(1, error));
    }
    requestedInUse.contradiction(chunks).ifPresent(findings::add);
    requestedInUse.finding(chunks.inUseBytes()).ifPresent(findings::add);
    if (otherDumpLines > 0) {
      findings.add(
          FindingKind.OTHER_DUMPS.finding(
              otherDumpLines, otherDumpLines, writer.isEmpty() ? "the first one" : writer));
    }
    return findings;
  }

  private Trace trace() {
    if (requestedBytes < 0) {
      return Trace.EMPTY;
    }
    Trace.Builder trace = new Trace.Builder();
    int row = trace.add(TraceAction.OOM, 0, requestedBytes);
    trace.oom(row, requestedBytes, OomEvent.UNKNOWN);
    return trace.build();
  }
}
