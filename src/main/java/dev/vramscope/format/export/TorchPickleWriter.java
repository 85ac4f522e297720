package dev.vramscope.format.export;

import dev.vramscope.model.Annotation;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Writes a snapshot in the format of {@code torch.cuda.memory._dump_snapshot()} of PyTorch 2.12: a
 * pickle of protocol 4 that PyTorch's viewer page and {@code _memory_viz.py} can open. Every stack
 * and every frame is one object that is shared by all events that use it.
 *
 * <p>Pinned host memory is in keys of PyTorch 2.14. The producer, the findings and the facts of a
 * hosted allocator are not part of that format. They are added in the top-level key {@code
 * vramscope}, which PyTorch's tools ignore.
 */
public final class TorchPickleWriter {
  private record DeviceAnnotation(int device, Annotation annotation) {}

  private TorchPickleWriter() {}

  /**
   * Writes the file. The stream is flushed but not closed.
   *
   * @throws IOException if writing to the stream fails
   */
  public static void write(Snapshot snapshot, OutputStream out) throws IOException {
    PickleOutput pickle = new PickleOutput(out);
    StackWriter stacks = new StackWriter(pickle, snapshot.stacks());
    PoolIdWriter pools = new PoolIdWriter(pickle);
    pickle.emptyDict();
    pickle.mark();
    // Events first: a reference to one of the first 256 memo entries takes two bytes, any other
    // five, and the ten keys of an event are referenced most often.
    pickle.text("device_traces");
    new TraceSection(pickle, stacks, pools).write(snapshot.devices());
    pickle.text("segments");
    new SegmentSection(pickle, stacks, pools).write(snapshot.devices());
    if (snapshot.pinnedHost().isPresent()) {
      DeviceSnapshot host = snapshot.pinnedHost().get();
      pickle.text("host_traces");
      new TraceSection(pickle, stacks, pools).writeTrace(host.trace());
      pickle.text("host_segments");
      new SegmentSection(pickle, stacks, pools).write(List.of(host));
    }
    if (snapshot.settings().isPresent()) {
      pickle.text("allocator_settings");
      new SettingsSection(pickle).write(snapshot.settings().get());
    }
    pickle.text("external_annotations");
    writeAnnotations(pickle, snapshot.devices());
    pickle.text("vramscope");
    new FactSection(pickle).write(snapshot);
    pickle.setItems();
    pickle.stop();
  }

  private static void writeAnnotations(PickleOutput pickle, List<DeviceSnapshot> devices)
      throws IOException {
    List<DeviceAnnotation> annotations = new ArrayList<>();
    for (DeviceSnapshot device : devices) {
      device.annotations().forEach(a -> annotations.add(new DeviceAnnotation(device.ordinal(), a)));
    }
    annotations.sort(Comparator.comparingLong(a -> a.annotation().timeMicros()));
    pickle.emptyList();
    for (int from = 0; from < annotations.size(); from += PickleOutput.BATCH) {
      pickle.mark();
      for (DeviceAnnotation each :
          annotations.subList(from, Math.min(from + PickleOutput.BATCH, annotations.size()))) {
        writeAnnotation(pickle, each);
      }
      pickle.appends();
    }
  }

  private static void writeAnnotation(PickleOutput pickle, DeviceAnnotation each)
      throws IOException {
    Annotation annotation = each.annotation();
    pickle.emptyDict();
    pickle.mark();
    pickle.text("name");
    pickle.text(annotation.name());
    pickle.text("stage");
    pickle.text(annotation.stage().name());
    pickle.text("device");
    pickle.number(each.device());
    if (annotation.timeMicros() != Trace.NO_TIME) {
      pickle.text("time_us");
      pickle.number(annotation.timeMicros());
    }
    pickle.setItems();
  }
}
