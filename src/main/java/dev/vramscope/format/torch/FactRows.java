package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The top-level key {@code vramscope}, which {@link dev.vramscope.format.export.TorchPickleWriter}
 * adds; PyTorch's tools ignore it.
 */
final class FactRows implements Fields.Row {
  /** A hosted allocator has one device and few findings. */
  private static final int MAX_ROWS = 1000;

  private static final int NO_DEVICE = -1;

  private final Fields fields;
  private final ListStates lists;
  private final Map<Integer, AllocatorFacts> devices = new TreeMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private Optional<String> producer = Optional.empty();
  private long captureMicros = Trace.NO_TIME;
  private int count;
  private Key section = Key.VRAMSCOPE;

  private int ordinal;
  private AllocatorFamily family = AllocatorFamily.CACHING;
  private OptionalLong deviceBytes = OptionalLong.empty();
  private OptionalLong freeBytes = OptionalLong.empty();
  private OptionalLong limitBytes = OptionalLong.empty();
  private boolean isSimulated;

  private Finding.Severity severity = Finding.Severity.INFO;
  private String code = "";
  private String message = "";
  private long occurrences;

  FactRows(Fields fields, ListStates lists) {
    this.fields = fields;
    this.lists = lists;
  }

  long open() {
    return Role.FACTS.cell(0);
  }

  long openList(Role role) {
    return role.cell(lists.open());
  }

  long openDevice() throws FormatException {
    finish();
    begin(Key.DEVICES);
    ordinal = NO_DEVICE;
    family = AllocatorFamily.CACHING;
    deviceBytes = OptionalLong.empty();
    freeBytes = OptionalLong.empty();
    limitBytes = OptionalLong.empty();
    isSimulated = false;
    return Role.FACTS_DEVICE.cell(count);
  }

  long openFinding() throws FormatException {
    finish();
    begin(Key.FINDINGS);
    severity = Finding.Severity.INFO;
    code = "";
    message = "";
    occurrences = 1;
    return Role.FACTS_FINDING.cell(count);
  }

  private void begin(Key next) throws FormatException {
    section = next;
    if (++count > MAX_ROWS) {
      throw Fields.implausible(path(), "more than " + MAX_ROWS + " rows");
    }
  }

  boolean put(Key key, long value) throws FormatException {
    switch (key) {
      case PRODUCER -> producer = Optional.of(text(value, key));
      case CAPTURED_US -> captureMicros = fields.nonNegative(value, this, key);
      // Their rows were read when the lists were filled.
      case DEVICES, FINDINGS -> finish();
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Sets a field of the open device; returns false if the key is unknown. */
  boolean putDevice(long dict, Key key, long value) throws FormatException {
    requireOpen(dict, Key.DEVICES);
    switch (key) {
      case DEVICE -> {
        long number = fields.nonNegative(value, this, key);
        ordinal = number > Short.MAX_VALUE ? NO_DEVICE : (int) number;
      }
      case ALLOCATOR -> {
        String id = text(value, key);
        family =
            AllocatorFamily.of(id)
                .orElseThrow(() -> Fields.malformed(this, key, "there is no allocator " + id));
      }
      case TOTAL_BYTES -> deviceBytes = OptionalLong.of(fields.sizeBytes(value, this, key));
      case FREE_BYTES -> freeBytes = OptionalLong.of(fields.sizeBytes(value, this, key));
      case LIMIT_BYTES -> limitBytes = OptionalLong.of(fields.sizeBytes(value, this, key));
      case SIMULATED -> isSimulated = fields.bool(value, this, key);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Sets a field of the open finding; returns false if the key is unknown. */
  boolean putFinding(long dict, Key key, long value) throws FormatException {
    requireOpen(dict, Key.FINDINGS);
    switch (key) {
      case SEVERITY ->
          severity =
              switch (text(value, key)) {
                case "error" -> Finding.Severity.ERROR;
                case "warning" -> Finding.Severity.WARNING;
                default -> Finding.Severity.INFO;
              };
      case CODE -> code = text(value, key);
      case MESSAGE -> message = text(value, key);
      case COUNT -> occurrences = fields.nonNegative(value, this, key);
      default -> {
        return false;
      }
    }
    return true;
  }

  void append(long list, int added) {
    lists.state(Role.number(list), lists.state(Role.number(list)) + added);
  }

  /** The facts of a device. */
  AllocatorFacts of(int device) throws FormatException {
    finish();
    return devices.getOrDefault(device, AllocatorFacts.NOT_RECORDED);
  }

  /** The devices with facts. */
  Set<Integer> ordinals() throws FormatException {
    finish();
    return devices.keySet();
  }

  List<Finding> findings() throws FormatException {
    finish();
    return findings;
  }

  Optional<String> producer() {
    return producer;
  }

  /** The time of the capture, or {@link Trace#NO_TIME}. */
  long captureMicros() {
    return captureMicros;
  }

  @Override
  public String path() {
    return section == Key.VRAMSCOPE
        ? section.text()
        : Key.VRAMSCOPE.text() + "." + section.text() + "[" + (count - 1) + "]";
  }

  private String text(long value, Key key) throws FormatException {
    return fields.values().texts().text(fields.text(value, this, key));
  }

  private void requireOpen(long dict, Key key) throws FormatException {
    if (section != key || Role.number(dict) != count) {
      throw Fields.malformed(path(), "a row changes after it was finished");
    }
  }

  private void finish() throws FormatException {
    if (section == Key.DEVICES && ordinal != NO_DEVICE) {
      if (deviceBytes.isPresent() && freeBytes.orElse(0) > deviceBytes.getAsLong()) {
        throw Fields.malformed(this, Key.FREE_BYTES, "more bytes are free than the device has");
      }
      devices.put(
          ordinal, new AllocatorFacts(family, deviceBytes, freeBytes, limitBytes, isSimulated));
    } else if (section == Key.FINDINGS) {
      findings.add(new Finding(severity, code, message, Math.max(1, occurrences)));
    }
    section = Key.VRAMSCOPE;
  }
}
