package dev.vramscope.store.codec;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Origin, settings, findings, and the numbers of rows in the other blobs. */
record HeadColumns(
    Origin origin,
    Optional<AllocatorSettings> settings,
    List<Finding> findings,
    int frameCount,
    int nodeCount,
    List<Device> devices) {

  /** The numbers of chunks and events of a device. */
  record Device(int ordinal, int segmentChunks, int events) {}

  void write(ColumnWriter out) {
    out.text(origin.format());
    out.text(origin.producer());
    out.signed(origin.captureMicros());
    out.raw((byte) (settings.isPresent() ? 1 : 0));
    Map<String, String> values = settings.map(AllocatorSettings::values).orElse(Map.of());
    out.number(values.size());
    values.forEach(
        (name, value) -> {
          out.text(name);
          out.text(value);
        });
    out.number(findings.size());
    for (Finding finding : findings) {
      out.number(code(finding.severity()));
      out.text(finding.code());
      out.text(finding.message());
      out.number(finding.count());
    }
    out.number(frameCount);
    out.number(nodeCount);
    out.number(devices.size());
    for (Device device : devices) {
      out.number(device.ordinal());
      out.number(device.segmentChunks());
      out.number(device.events());
    }
  }

  static HeadColumns read(ColumnReader in) {
    Origin origin = new Origin(in.text(), in.text(), in.signed());
    boolean hasSettings = in.raw() == 1;
    Map<String, String> values = new TreeMap<>();
    for (int left = in.count(); left > 0; left--) {
      values.put(in.text(), in.text());
    }
    List<Finding> findings = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      findings.add(new Finding(severity(in.index(3)), in.text(), in.text(), in.number()));
    }
    int frames = in.count();
    int nodes = in.count();
    List<Device> devices = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      devices.add(new Device(in.count(), in.count(), in.count()));
    }
    in.requireEnd();
    return new HeadColumns(
        origin,
        hasSettings ? Optional.of(new AllocatorSettings(values)) : Optional.empty(),
        findings,
        frames,
        nodes,
        devices);
  }

  private static int code(Finding.Severity severity) {
    return switch (severity) {
      case INFO -> 0;
      case WARNING -> 1;
      case ERROR -> 2;
    };
  }

  private static Finding.Severity severity(int code) {
    return switch (code) {
      case 0 -> Finding.Severity.INFO;
      case 1 -> Finding.Severity.WARNING;
      default -> Finding.Severity.ERROR;
    };
  }
}
