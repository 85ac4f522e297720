package dev.vramscope.format.export;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import java.io.IOException;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Writes the top-level key {@code vramscope}: what PyTorch's format does not contain, so that a
 * reader of the written file gets the same snapshot. It has the producer, the time and the findings
 * of the first reading, and the facts of a hosted allocator. PyTorch's tools ignore the key.
 */
final class FactSection {
  private final PickleOutput pickle;

  FactSection(PickleOutput pickle) {
    this.pickle = pickle;
  }

  private static boolean hasFacts(DeviceSnapshot device) {
    return !device.facts().equals(AllocatorFacts.NOT_RECORDED);
  }

  void write(Snapshot snapshot) throws IOException {
    pickle.emptyDict();
    pickle.mark();
    text("producer", snapshot.origin().producer());
    if (snapshot.origin().captureMicros() != Trace.NO_TIME) {
      number("captured_us", snapshot.origin().captureMicros());
    }
    pickle.text("devices");
    pickle.emptyList();
    pickle.mark();
    for (DeviceSnapshot device : snapshot.devices()) {
      if (hasFacts(device)) {
        writeDevice(device.ordinal(), device.facts());
      }
    }
    pickle.appends();
    pickle.text("findings");
    pickle.emptyList();
    pickle.mark();
    for (Finding finding : snapshot.findings()) {
      writeFinding(finding);
    }
    pickle.appends();
    pickle.setItems();
  }

  private void writeDevice(int ordinal, AllocatorFacts facts) throws IOException {
    pickle.emptyDict();
    pickle.mark();
    number("device", ordinal);
    text("allocator", facts.family().id());
    optional("total_bytes", facts.deviceBytes());
    optional("free_bytes", facts.deviceFreeBytes());
    optional("limit_bytes", facts.limitBytes());
    pickle.text("simulated");
    pickle.bool(facts.isSimulated());
    pickle.setItems();
  }

  private void writeFinding(Finding finding) throws IOException {
    pickle.emptyDict();
    pickle.mark();
    text("severity", finding.severity().name().toLowerCase(Locale.ROOT));
    text("code", finding.code());
    text("message", finding.message());
    number("count", finding.count());
    pickle.setItems();
  }

  private void text(String key, String value) throws IOException {
    pickle.text(key);
    pickle.text(value);
  }

  private void number(String key, long value) throws IOException {
    pickle.text(key);
    pickle.number(value);
  }

  private void optional(String key, OptionalLong value) throws IOException {
    if (value.isPresent()) {
      number(key, value.getAsLong());
    }
  }
}
