package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.Cell;
import dev.vramscope.format.pickle.PickleValues;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.FindingKind;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of all devices and of the host. The newest event is open: its fields are stored here
 * and become a row of the device's trace when it is finished.
 */
final class TraceRows implements Fields.Row {
  /** What analyses keep of an event: its lifetime, and its place in the curves. */
  private static final long ANALYSIS_BYTES = 40;

  private static final int NO_TEXT = -1;
  private static final int NO_LIST = -1;

  // Below it, every sum over events is exact.
  private static final long MAX_TOTAL_BYTES = 1L << 62;
  // The end of the year 9999.
  private static final long MAX_MICROS = 253_402_300_799_999_999L;

  private final Fields fields;
  private final PickleValues values;
  private final ListStates lists;
  private final StackRows stacks;
  private final PoolIds pools;
  private final KnownValues knownValues;
  private final FindingCounter findings;
  private final ReadLimits limits;

  private final Map<Integer, Trace.Builder> traces = new TreeMap<>();
  // The device of each list of events.
  private final Map<Integer, Integer> deviceOfList = new HashMap<>();

  /** The metadata of each category, by the number of its text: many events may have a long one. */
  private final Map<Integer, String> categories = new HashMap<>();

  private int tracesList = NO_LIST;
  private int hostList = NO_LIST;
  private int traceList = NO_LIST;
  private int device;
  // The open trace; a shared empty builder before its first event, so that empty traces are free.
  private Trace.Builder trace = new Trace.Builder();
  private boolean traceKnown;
  private long events;
  private long totalBytes;
  private long lastMicros;

  private boolean open;
  private int action;
  private long address;
  private boolean addressKnown;
  private long bytes;
  private boolean bytesKnown;
  private long stream;
  private long micros;
  private int stack;
  private PoolId pool = PoolId.DEFAULT;
  private boolean poolKnown;
  private long deviceFreeBytes;
  private int metadata;
  private int category;
  private int context;

  TraceRows(
      Fields fields,
      ListStates lists,
      StackRows stacks,
      PoolIds pools,
      KnownValues knownValues,
      FindingCounter findings,
      ReadLimits limits) {
    this.fields = fields;
    this.values = fields.values();
    this.lists = lists;
    this.stacks = stacks;
    this.pools = pools;
    this.knownValues = knownValues;
    this.findings = findings;
    this.limits = limits;
  }

  /** Opens the list of traces. */
  long openTraces() {
    open = false;
    traces.keySet().removeIf(ordinal -> ordinal != DeviceSnapshot.PINNED_HOST);
    deviceOfList.values().removeIf(ordinal -> ordinal != DeviceSnapshot.PINNED_HOST);
    traceList = NO_LIST;
    tracesList = lists.open();
    return Role.TRACES.cell(tracesList);
  }

  /** Opens a trace; its device is the index in the list of traces. */
  long openTrace(long parent, int pending) throws FormatException {
    return openTrace(lists.state(Role.number(parent)) + pending);
  }

  /** Opens the trace of the host, which is in no list of traces. */
  long openHostTrace() throws FormatException {
    long list = openTrace(DeviceSnapshot.PINNED_HOST);
    traces.remove(DeviceSnapshot.PINNED_HOST);
    hostList = traceList;
    return list;
  }

  private long openTrace(int ordinal) throws FormatException {
    finish();
    device = ordinal;
    traceList = lists.open();
    lastMicros = Long.MIN_VALUE;
    traceKnown = false;
    deviceOfList.put(traceList, device);
    return Role.TRACE.cell(traceList);
  }

  /** Opens an event of a trace. */
  long openEvent(long parent) throws FormatException {
    finish();
    if (Role.number(parent) != traceList) {
      throw Fields.malformed(path(), "an event is added to a trace that is already finished");
    }
    if (++events > limits.maxEvents()) {
      throw Fields.tooMany("device_traces", "more than " + limits.maxEvents() + " events");
    }
    if (!traceKnown) {
      trace = traces.computeIfAbsent(device, _ -> new Trace.Builder());
      traceKnown = true;
      if (traces.size() > limits.maxDevices()) {
        throw Fields.implausible("device_traces", "more than " + limits.maxDevices() + " devices");
      }
    }
    open = true;
    action = NO_TEXT;
    addressKnown = false;
    address = 0;
    bytesKnown = false;
    bytes = 0;
    stream = 0;
    micros = Trace.NO_TIME;
    stack = StackTable.NONE;
    poolKnown = false;
    deviceFreeBytes = OomEvent.UNKNOWN;
    metadata = NO_TEXT;
    category = NO_TEXT;
    context = NO_TEXT;
    return Role.EVENT.cell(trace.size());
  }

  /** Sets a field of the open event; returns false if the key is unknown. */
  boolean put(long event, Key key, long value) throws FormatException {
    if (!open || Role.number(event) != trace.size()) {
      throw Fields.malformed(path(), "an event changes after it was finished");
    }
    switch (key) {
      case ACTION -> action = fields.text(value, this, key);
      case ADDR -> {
        address = fields.address(value, this, key);
        addressKnown = true;
      }
      case SIZE -> {
        bytes = fields.nonNegative(value, this, key);
        bytesKnown = true;
      }
      case STREAM -> stream = fields.integer(value, this, key);
      case TIME_US -> micros = fields.integer(value, this, key);
      case COMPILE_CONTEXT -> context = optionalText(value, key);
      case USER_METADATA -> metadata = optionalText(value, key);
      case CATEGORY -> category = Cell.tag(value) == Cell.TEXT ? optionalText(value, key) : NO_TEXT;
      case POOL_ID -> {
        poolKnown = Cell.tag(value) != Cell.NONE;
        pool = poolKnown ? pools.pool(value, this, key) : PoolId.DEFAULT;
      }
      case FRAMES -> stack = stacks.stack(value, this);
      case DEVICE_FREE -> deviceFreeBytes = fields.sizeBytes(value, this, key);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Appends events to their trace. */
  void append(long list, long[] cells, int from, int to) throws FormatException {
    finish();
    int number = Role.number(list);
    int count = lists.state(number);
    for (int i = from; i < to; i++) {
      if (number != traceList
          || !Role.EVENT.is(cells[i])
          || Role.number(cells[i]) != count + (i - from)) {
        throw Fields.malformed(
            trace(device) + "[" + (count + i - from) + "]",
            Role.EVENT.is(cells[i])
                ? "the same event occurs in two places"
                : "expected an event, found " + Cell.describe(cells[i]));
      }
    }
    lists.state(number, count + (to - from));
  }

  /** Appends traces, one per device, to the list of traces. */
  void appendTraces(long list, long[] cells, int from, int to) throws FormatException {
    finish();
    int count = lists.state(Role.number(list));
    for (int i = from; i < to; i++) {
      int index = count + (i - from);
      if (lists.isEmpty(cells[i])) {
        if (index >= limits.maxDevices()) {
          findings.count(FindingKind.EMPTY_DEVICES);
        }
        continue;
      }
      String path = "device_traces[" + index + "]";
      if (!Role.TRACE.is(cells[i])) {
        throw Fields.malformed(path, "expected a list of events, found " + Cell.describe(cells[i]));
      }
      if (deviceOfList.getOrDefault(Role.number(cells[i]), NO_LIST) != index) {
        throw Fields.malformed(path, "the same list of events occurs in two places");
      }
    }
    lists.state(Role.number(list), count + (to - from));
  }

  /** Accepts the list of traces of the snapshot, which are then in {@link #traces}. */
  void accept(long cell, Fields.Row row, Key key) throws FormatException {
    finish();
    if (Role.TRACES.is(cell) && Role.number(cell) == tracesList) {
      return;
    }
    if (!lists.isEmpty(cell) && Cell.tag(cell) != Cell.NONE) {
      throw Fields.malformed(
          row,
          key,
          Role.TRACES.is(cell)
              ? "the key occurs twice"
              : "expected a list of traces, found " + Cell.describe(cell));
    }
    openTraces();
  }

  /** Accepts the trace of the host, which is then in {@link #traces}. */
  void acceptHost(long cell, Fields.Row row, Key key) throws FormatException {
    finish();
    if (Role.TRACE.is(cell) && Role.number(cell) == hostList) {
      return;
    }
    if (!lists.isEmpty(cell) && Cell.tag(cell) != Cell.NONE) {
      throw Fields.malformed(
          row,
          key,
          Role.TRACE.is(cell)
              ? "the same list of events occurs in two places"
              : "expected a list of events, found " + Cell.describe(cell));
    }
    traces.remove(DeviceSnapshot.PINNED_HOST);
  }

  /** About how much heap the events take, with what analyses keep of them. */
  long heapBytes() {
    long bytes = 0;
    for (Trace.Builder builder : traces.values()) {
      bytes += builder.heapBytes() + builder.size() * ANALYSIS_BYTES;
    }
    return bytes;
  }

  /** The traces by device; devices without events are omitted. */
  Map<Integer, Trace.Builder> traces() {
    return traces;
  }

  @Override
  public String path() {
    return trace(device) + "[" + trace.size() + "]";
  }

  private static String trace(int device) {
    return device == DeviceSnapshot.PINNED_HOST ? "host_traces" : "device_traces[" + device + "]";
  }

  private void finish() throws FormatException {
    if (!open) {
      return;
    }
    if (action == NO_TEXT) {
      throw Fields.malformed(this, Key.ACTION, "missing");
    }
    TraceAction knownAction = knownValues.action(action);
    requirePossibleSize(knownAction);
    open = false;
    int row = trace.add(knownAction, address, bytes);
    if (knownAction == TraceAction.OTHER) {
      trace.otherAction(row, values.texts().text(action));
    } else if (knownAction == TraceAction.OOM) {
      trace.oom(row, bytes, deviceFreeBytes);
      addressKnown = true;
    }
    if (knownAction.ordinal() <= TraceAction.OOM.ordinal() && !(addressKnown && bytesKnown)) {
      findings.count(FindingKind.EVENTS_INCOMPLETE);
    }
    if (stream != 0) {
      trace.stream(row, stream);
    }
    if (stack != StackTable.NONE) {
      trace.stack(row, stack);
    }
    if (micros != Trace.NO_TIME && (micros < 0 || micros > MAX_MICROS)) {
      findings.count(FindingKind.TIME_INVALID);
    } else if (micros != Trace.NO_TIME) {
      trace.timeMicros(row, micros);
      if (micros < lastMicros) {
        findings.count(FindingKind.TIME_BACKWARDS);
      }
      lastMicros = micros;
    }
    if (poolKnown) {
      trace.pool(row, pool);
    }
    if (metadata != NO_TEXT && !values.texts().isEmpty(metadata)) {
      trace.userMetadata(row, values.texts().text(metadata));
    } else if (category != NO_TEXT && !values.texts().isEmpty(category)) {
      // Only the profiler writes it, and it writes no metadata.
      trace.userMetadata(
          row,
          categories.computeIfAbsent(
              category, number -> "category: " + values.texts().text(number)));
    }
    if (context != NO_TEXT && !knownValues.isAbsent(context)) {
      trace.compileContext(row, values.texts().text(context));
    }
  }

  private void requirePossibleSize(TraceAction action) throws FormatException {
    boolean isRequest = action == TraceAction.OOM;
    if (bytes > (isRequest ? Fields.MAX_REQUEST_BYTES : Fields.MAX_BYTES)) {
      throw Fields.malformed(this, Key.SIZE, bytes + " bytes exceed the memory of any device");
    }
    totalBytes += isRequest ? 0 : bytes;
    if (totalBytes > MAX_TOTAL_BYTES) {
      throw Fields.malformed("device_traces", "the sizes of all events add up to more than 2^62");
    }
  }

  private int optionalText(long value, Key key) throws FormatException {
    return Cell.tag(value) == Cell.NONE ? NO_TEXT : fields.text(value, this, key);
  }
}
