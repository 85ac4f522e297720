package dev.vramscope.format.export;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code device_traces}: a list of events per device, indexed by the device ordinal; or one
 * such list.
 */
final class TraceSection {
  /** PyTorch's value for an event outside of any compiled region. */
  private static final String NO_COMPILE_CONTEXT = "N/A";

  private final PickleOutput pickle;
  private final StackWriter stacks;
  private final PoolIdWriter pools;

  TraceSection(PickleOutput pickle, StackWriter stacks, PoolIdWriter pools) {
    this.pickle = pickle;
    this.stacks = stacks;
    this.pools = pools;
  }

  void write(List<DeviceSnapshot> devices) throws IOException {
    int count = devices.stream().mapToInt(device -> device.ordinal() + 1).max().orElse(0);
    pickle.emptyList();
    if (count == 0) {
      return;
    }
    pickle.mark();
    for (int ordinal = 0; ordinal < count; ordinal++) {
      writeTrace(traceOf(devices, ordinal));
    }
    pickle.appends();
  }

  private static Trace traceOf(List<DeviceSnapshot> devices, int ordinal) {
    for (DeviceSnapshot device : devices) {
      if (device.ordinal() == ordinal) {
        return device.trace();
      }
    }
    return Trace.EMPTY;
  }

  void writeTrace(Trace trace) throws IOException {
    pickle.emptyList();
    TextCursor userMetadata = new TextCursor(trace.userMetadata());
    TextCursor compileContexts = new TextCursor(trace.compileContexts());
    int nextOom = 0;
    for (int event = 0; event < trace.size(); event++) {
      if (event % PickleOutput.BATCH == 0) {
        pickle.mark();
      }
      OomEvent oom = null;
      if (nextOom < trace.ooms().size() && trace.ooms().get(nextOom).event() == event) {
        oom = trace.ooms().get(nextOom++);
      }
      writeEvent(trace, event, oom, compileContexts.at(event), userMetadata.at(event));
      if ((event + 1) % PickleOutput.BATCH == 0 || event + 1 == trace.size()) {
        pickle.appends();
      }
    }
  }

  private void writeEvent(
      Trace trace,
      int event,
      @Nullable OomEvent oom,
      @Nullable String compileContext,
      @Nullable String userMetadata)
      throws IOException {
    pickle.emptyDict();
    pickle.mark();
    pickle.text("action");
    pickle.text(EventRow.actionName(trace, event));
    if (oom == null) {
      pickle.text("addr");
      pickle.unsigned(trace.address(event));
    } else if (oom.deviceFreeBytes() != OomEvent.UNKNOWN) {
      pickle.text("device_free");
      pickle.number(oom.deviceFreeBytes());
    }
    pickle.text("size");
    pickle.number(oom == null ? trace.bytes(event) : oom.requestedBytes());
    pickle.text("stream");
    pickle.number(trace.stream(event));
    if (trace.timeMicros(event) != Trace.NO_TIME) {
      pickle.text("time_us");
      pickle.number(trace.timeMicros(event));
    }
    pickle.text("compile_context");
    pickle.text(compileContext == null ? NO_COMPILE_CONTEXT : compileContext);
    pickle.text("user_metadata");
    pickle.text(userMetadata == null ? "" : userMetadata);
    PoolId pool = trace.pool(event);
    if (pool != null) {
      pickle.text("pool_id");
      pools.write(pool);
    }
    if (trace.stack(event) != StackTable.NONE) {
      pickle.text("frames");
      stacks.write(trace.stack(event));
    }
    pickle.setItems();
  }
}
