package dev.vramscope.whatif;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Snapshot files for tests, and parts of them. */
final class Recordings {
  private Recordings() {}

  /** Reads a pickle, gzipped if its name says so. */
  static Snapshot read(Path file) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        InputStream content = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return TorchPickleReader.read(content, ReadLimits.defaults());
    } catch (IOException | FormatException exception) {
      throw new AssertionError(file + " was rejected", exception);
    }
  }

  /** The same recording without its first events, as a full ring of events would leave it. */
  static DeviceSnapshot without(DeviceSnapshot device, int firstEvents) {
    Trace trace = device.trace();
    Trace.Builder rest = new Trace.Builder();
    for (int event = firstEvents; event < trace.size(); event++) {
      TraceAction action = trace.action(event);
      int row = rest.add(action, trace.address(event), trace.bytes(event));
      rest.stream(row, trace.stream(event));
      rest.stack(row, trace.stack(event));
      rest.timeMicros(row, trace.timeMicros(event));
      PoolId pool = trace.pool(event);
      if (pool != null) {
        rest.pool(row, pool);
      }
    }
    for (OomEvent oom : trace.ooms()) {
      if (oom.event() >= firstEvents) {
        rest.oom(oom.event() - firstEvents, oom.requestedBytes(), oom.deviceFreeBytes());
      }
    }
    return new DeviceSnapshot(
        device.ordinal(), device.segments(), rest.build(), List.of(), device.facts());
  }
}
