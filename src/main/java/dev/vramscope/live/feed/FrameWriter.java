package dev.vramscope.live.feed;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.live.DriverView;
import dev.vramscope.live.HostedState;
import dev.vramscope.model.JsonEscapes;
import dev.vramscope.model.SizeRules;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes frames as JSON. Arrays of numbers instead of objects with names: a frame may contain
 * thousands of blocks. Byte counts are numbers below 2^53 and hex strings otherwise.
 *
 * <pre>
 *   {v, from,                        the versions after and before the change; from 0: complete
 *    now,                            milliseconds since the feed was created
 *    events,                         the number of the next event of the recorded history, from 0
 *    dropped, gaps,                  counts so far
 *    shortLived,                     count of blocks that no frame contained
 *    lost,                           why the device is lost, if it is
 *    levels:   [requested, allocated, active, reserved],
 *    device:   [free or null, total],
 *    ledger:   {item: bytes or null if unknown…}           items of 0 bytes are omitted
 *    outside:  {part of the memory outside the allocator: bytes or null…}   unless it is exclusive
 *    pools:    [[name, 1 if large]…]           all pools, if there are new ones
 *    sites:    [number of the first, name…]    the new ones, if any
 *    removed:  [segment…]
 *    segments: [[segment, address, bytes, stream, pool, 1 if expandable, [blocks]]…]
 *    points:   [[millis, minimum allocated, maximum allocated, maximum active,
 *                maximum reserved, 1 if no viewer was connected since the previous point]…]
 *    log:      [[number, event code, address, bytes, extra, stream, pool, site, millis]…]}
 *
 *   blocks:    for each: gap after the previous block, bytes, bytes not requested, site, waits;
 *              waits is -1 if it is allocated, else the number of streams that it waits for,
 *              followed by these streams
 * </pre>
 */
final class FrameWriter {
  private static final long MAX_EXACT = 1L << 53;
  private static final JsonFactory JSON = JsonEscapes.factory();

  private static final AllocatorState NOTHING =
      new AllocatorState(0, List.of(), 0, 0, /* findings= */ List.of());

  private final ReplicaUpdater updater;
  private final Curve curve;

  FrameWriter(ReplicaUpdater updater, Curve curve) {
    this.updater = updater;
    this.curve = curve;
  }

  /** Writes the changes since a version. The frame is complete if {@code since} is 0 or too old. */
  byte[] frame(long since, long millis, DeviceMeter device, HostedState state) {
    AllocatorReplica replica = updater.replica();
    long from = replica.hasRemovalsSince(since) ? since : 0;
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeNumberProperty("v", replica.version());
      json.writeNumberProperty("from", from);
      json.writeNumberProperty("now", millis);
      json.writeNumberProperty("events", updater.nextEvent());
      json.writeNumberProperty("dropped", updater.droppedCount());
      json.writeNumberProperty("gaps", updater.gapCount());
      json.writeNumberProperty("shortLived", replica.shortLivedCount());
      if (state instanceof HostedState.Lost(String reason)) {
        json.writeStringProperty("lost", reason);
      }
      writeLevels(json, replica.levels());
      writeDevice(json, device);
      writeLedger(json, device);
      writePools(json, from);
      writeSites(json, from);
      writeSegments(json, replica, from);
      writePoints(json, curve.since(from));
      // The first frame includes the latest events.
      writeLog(json, updater.log().since(since));
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void writeLevels(JsonGenerator json, MemoryLevels levels) {
    json.writeArrayPropertyStart("levels");
    writeBytes(json, levels.requestedBytes());
    writeBytes(json, levels.allocatedBytes());
    writeBytes(json, levels.activeBytes());
    writeBytes(json, levels.reservedBytes());
    json.writeEndArray();
  }

  private static void writeDevice(JsonGenerator json, DeviceMeter device) {
    json.writeArrayPropertyStart("device");
    DriverView view = device.view();
    if (view != null) {
      writeBytes(json, view.freeBytes());
    } else {
      json.writeNull();
    }
    writeBytes(json, device.totalBytes());
    json.writeEndArray();
  }

  /**
   * The rows add up to the size of the device, and those of the allocator to its reserved bytes.
   */
  private void writeLedger(JsonGenerator json, DeviceMeter device) {
    json.writeObjectPropertyStart("ledger");
    long[] bytes = updater.ledgerBytes();
    for (Ledger.Item item : Ledger.Item.values()) {
      if (item.isReserved() && bytes[item.ordinal()] != 0) {
        json.writeName(item.id());
        writeBytes(json, bytes[item.ordinal()]);
      }
    }
    long reserved = updater.replica().levels().reservedBytes();
    DriverView view = device.view();
    Ledger.DeviceMemory memory =
        view == null ? Ledger.DeviceMemory.UNKNOWN : without(reserved, view);
    for (Ledger.Row row : Ledger.of(NOTHING, SizeRules.DEFAULT, memory).rows()) {
      if (row.item().isReserved()) {
        continue;
      }
      json.writeName(row.item().id());
      if (row.amount() instanceof Ledger.Amount.Known(long amountBytes)) {
        writeBytes(json, amountBytes);
      } else {
        json.writeNull();
      }
    }
    json.writeEndObject();
    if (view != null && !view.exclusive()) {
      writeOutside(json, view);
    }
  }

  /** The device memory without that of the allocator. */
  private static Ledger.DeviceMemory without(long reserved, DriverView view) {
    Ledger.DeviceMemory memory = view.deviceMemory(reserved);
    return new Ledger.DeviceMemory(
        new Ledger.Amount.Known(view.totalBytes() - reserved),
        memory.free(),
        memory.freeSource(),
        memory.outside(),
        memory.outsideSource(),
        memory.otherProcesses());
  }

  private static void writeOutside(JsonGenerator json, DriverView view) {
    json.writeObjectPropertyStart("outside");
    writePart(json, "context", view.context().bytes());
    writePart(json, "rest", view.rest().bytes());
    writePart(json, "otherAllocators", view.otherAllocatorsBytes());
    writePart(json, "unexplained", view.unexplainedBytes());
    json.writeEndObject();
  }

  private static void writePart(JsonGenerator json, String name, @Nullable Long bytes) {
    json.writeName(name);
    if (bytes == null) {
      json.writeNull();
    } else {
      writeBytes(json, bytes);
    }
  }

  private void writePools(JsonGenerator json, long from) {
    PoolTable pools = updater.pools();
    if (from > 0 && pools.version() <= from) {
      return;
    }
    json.writeArrayPropertyStart("pools");
    for (PoolTable.Pool pool : pools.all()) {
      json.writeStartArray();
      json.writeString(pool.id().toString());
      json.writeNumber(pool.large() ? 1 : 0);
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private void writeSites(JsonGenerator json, long from) {
    int first = from == 0 ? 0 : updater.sites().firstSince(from);
    List<String> names = updater.sites().namesFrom(first);
    if (names.isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart("sites");
    json.writeNumber(first);
    names.forEach(json::writeString);
    json.writeEndArray();
  }

  private static void writeSegments(JsonGenerator json, AllocatorReplica replica, long from) {
    if (from > 0) {
      json.writeArrayPropertyStart("removed");
      replica.removedSince(from).forEach(json::writeNumber);
      json.writeEndArray();
    }
    json.writeArrayPropertyStart("segments");
    for (ReplicaSegment segment : replica.segments()) {
      if (segment.version > from) {
        writeSegment(json, segment);
      }
    }
    json.writeEndArray();
  }

  private static void writeSegment(JsonGenerator json, ReplicaSegment segment) {
    json.writeStartArray();
    json.writeNumber(segment.id);
    json.writeString(hex(segment.address));
    writeBytes(json, segment.bytes);
    json.writeNumber(segment.stream);
    json.writeNumber(segment.pool);
    json.writeNumber(segment.expandable ? 1 : 0);
    json.writeStartArray();
    long end = segment.address;
    for (ReplicaBlock block : segment.blocks()) {
      writeBytes(json, block.address() - end);
      writeBytes(json, block.bytes());
      writeBytes(json, block.bytes() - block.requestedBytes());
      json.writeNumber(block.site());
      json.writeNumber(block.pending() ? block.awaited().size() : -1);
      block.awaited().forEach(json::writeNumber);
      end = block.endAddress();
    }
    json.writeEndArray();
    json.writeEndArray();
  }

  private static void writePoints(JsonGenerator json, List<CurvePoint> points) {
    json.writeArrayPropertyStart("points");
    for (CurvePoint point : points) {
      json.writeStartArray();
      json.writeNumber(point.millis());
      writeBytes(json, point.minAllocatedBytes());
      writeBytes(json, point.maxAllocatedBytes());
      writeBytes(json, point.maxActiveBytes());
      writeBytes(json, point.maxReservedBytes());
      json.writeNumber(point.afterGap() ? 1 : 0);
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void writeLog(JsonGenerator json, List<LoggedEvent> log) {
    json.writeArrayPropertyStart("log");
    for (LoggedEvent logged : log) {
      json.writeStartArray();
      json.writeNumber(logged.number());
      json.writeNumber(logged.action().code());
      json.writeString(hex(logged.address()));
      writeBytes(json, logged.bytes());
      writeBytes(json, logged.extra());
      json.writeNumber(logged.stream());
      json.writeNumber(logged.pool());
      json.writeNumber(logged.site());
      json.writeNumber(logged.millis());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void writeBytes(JsonGenerator json, long bytes) {
    if (bytes < MAX_EXACT && bytes > -MAX_EXACT) {
      json.writeNumber(bytes);
    } else {
      json.writeString(hex(bytes));
    }
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }
}
