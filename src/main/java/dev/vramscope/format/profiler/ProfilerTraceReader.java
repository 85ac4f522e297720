package dev.vramscope.format.profiler;

import dev.vramscope.format.BoundedJson;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads the memory events of a trace of {@code torch.profiler} ({@code export_chrome_trace} with
 * {@code profile_memory=True}) as traces of its devices: every allocation and free, without stacks
 * and segments. The file is read as a stream; its other events are skipped.
 */
public final class ProfilerTraceReader {
  private static final String NEXT =
      "Record it with torch.profiler.profile(profile_memory=True) and export it again.";

  /** Sums of fewer bytes cannot overflow. */
  private static final long MAX_TOTAL = 1L << 61;

  private static final long MAX_EVENT_BYTES = ByteSize.MAX_BYTES;

  private final ReadLimits limits;
  private final Map<Integer, DeviceEvents> devices = new TreeMap<>();
  private final Map<Integer, Long> deviceBytes = new HashMap<>();
  private final MemoryEvent event = new MemoryEvent();
  private long baseNanos;
  private long events;
  private long total;

  private ProfilerTraceReader(ReadLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads an uncompressed trace.
   *
   * @throws FormatException if it is malformed, too large, or has no memory event of a GPU
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    JsonFactory factory =
        BoundedJson.factory(limits).enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
    ProfilerTraceReader reader = new ProfilerTraceReader(limits);
    try (JsonParser json = factory.createParser(ObjectReadContext.empty(), file)) {
      reader.read(json);
    } catch (JacksonIOException broken) {
      throw broken.getCause();
    } catch (JacksonException bad) {
      throw BoundedJson.rejection(
          bad, bad.getLocation() == null ? "" : "byte " + bad.getLocation().getByteOffset(), NEXT);
    }
    return reader.snapshot();
  }

  private void read(JsonParser json) throws FormatException {
    json.nextToken();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = json.currentName();
      JsonToken value = json.nextToken();
      if (member.equals("traceEvents") && value == JsonToken.START_ARRAY) {
        readEvents(json);
      } else if (member.equals("deviceProperties") && value == JsonToken.START_ARRAY) {
        readDevices(json);
      } else if (member.equals("baseTimeNanoseconds") && value == JsonToken.VALUE_NUMBER_INT) {
        baseNanos =
            json.getNumberType() == JsonParser.NumberType.BIG_INTEGER ? 0 : json.getLongValue();
      } else {
        json.skipChildren();
      }
    }
  }

  private void readEvents(JsonParser json) throws FormatException {
    JsonToken token = json.nextToken();
    for (; token != null && token != JsonToken.END_ARRAY; token = json.nextToken()) {
      if (token != JsonToken.START_OBJECT) {
        json.skipChildren();
        continue;
      }
      event.read(json);
      if (event.isOfGpu()) {
        add("byte " + json.currentTokenLocation().getByteOffset());
      }
    }
  }

  private void add(String where) throws FormatException {
    // Sorting takes as much memory again as the events.
    if (events++ >= limits.maxEvents() / 2) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the trace has more than " + limits.maxEvents() / 2 + " memory events",
          where,
          "Profile fewer steps, or start the server with a larger heap (-Xmx).");
    }
    boolean isPossible =
        event.bytes() > -MAX_EVENT_BYTES && event.bytes() < MAX_EVENT_BYTES && total < MAX_TOTAL;
    total += isPossible ? Math.abs(event.bytes()) : 0;
    if (!isPossible || event.device() > Integer.MAX_VALUE) {
      throw new FormatException(
          Reason.MALFORMED,
          "a memory event has numbers that no device has",
          where,
          "Export the trace again: it is damaged.");
    }
    int device = (int) event.device();
    if (!devices.containsKey(device) && devices.size() >= limits.maxDevices()) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the trace has more than " + limits.maxDevices() + " devices",
          where,
          NEXT);
    }
    devices.computeIfAbsent(device, _ -> new DeviceEvents()).add(event);
  }

  private void readDevices(JsonParser json) {
    JsonToken token = json.nextToken();
    for (; token != null && token != JsonToken.END_ARRAY; token = json.nextToken()) {
      if (token != JsonToken.START_OBJECT) {
        json.skipChildren();
        continue;
      }
      long id = -1;
      long bytes = -1;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String member = json.currentName();
        boolean isNumber =
            json.nextToken() == JsonToken.VALUE_NUMBER_INT
                && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        if (isNumber && member.equals("id")) {
          id = json.getLongValue();
        } else if (isNumber && member.equals("totalGlobalMem")) {
          bytes = json.getLongValue();
        } else {
          json.skipChildren();
        }
      }
      if (id >= 0 && id < limits.maxDevices() && bytes > 0 && bytes < MAX_EVENT_BYTES) {
        deviceBytes.put((int) id, bytes);
      }
    }
  }

  private Snapshot snapshot() throws FormatException {
    if (devices.isEmpty()) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "this trace of torch.profiler has no event of a GPU’s memory",
          "traceEvents",
          NEXT);
    }
    List<DeviceSnapshot> deviceSnapshots = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    findings.add(FindingKind.PROFILER_TRACE.finding(1));
    devices.forEach(
        (ordinal, each) -> {
          Long bytes = deviceBytes.get(ordinal);
          OptionalLong size = bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
          deviceSnapshots.add(each.device(ordinal, baseNanos, size, findings));
          if (!each.isAddressed()) {
            findings.add(FindingKind.PROFILER_ADDRESSES.finding(1));
          }
        });
    return new Snapshot(
        new Origin("torch.profiler trace (JSON)", "PyTorch", Trace.NO_TIME),
        Optional.empty(),
        deviceSnapshots,
        StackTable.EMPTY,
        findings);
  }
}
