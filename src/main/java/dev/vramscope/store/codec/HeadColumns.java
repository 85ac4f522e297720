package dev.vramscope.store.codec;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFacts.RecordedTotals;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Origin, settings, findings, facts, and the numbers of rows in the other blobs. */
record HeadColumns(
    Origin origin,
    Optional<AllocatorSettings> settings,
    List<Finding> findings,
    int frameCount,
    int nodeCount,
    List<Device> devices) {

  /** Flags of the facts. */
  private static final int SIMULATED = 1;

  private static final int PROFILE = 2;

  private static final int TOTALS = 4;

  private static final int POOL = 8;

  /** The numbers of chunks and events of a device, and the facts about its allocator. */
  record Device(int ordinal, int segmentChunks, int events, AllocatorFacts facts) {}

  private static final int FACTS_SINCE_VERSION = 2;

  /** Stands for pinned host memory; no device has this number. */
  private static final int PINNED_HOST = 1 << 16;

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
      out.number(device.ordinal() == DeviceSnapshot.PINNED_HOST ? PINNED_HOST : device.ordinal());
      out.number(device.segmentChunks());
      out.number(device.events());
      writeFacts(device.facts(), out);
    }
  }

  private static void writeFacts(AllocatorFacts facts, ColumnWriter out) {
    out.number(code(facts.family()));
    writeOptional(facts.deviceBytes(), out);
    writeOptional(facts.deviceFreeBytes(), out);
    writeOptional(facts.limitBytes(), out);
    out.raw(
        (byte)
            ((facts.isSimulated() ? SIMULATED : 0)
                | (facts.profiledDevice().isPresent() ? PROFILE : 0)
                | (facts.totals().isPresent() ? TOTALS : 0)
                | (facts.pool().isPresent() ? POOL : 0)));
    facts.profiledDevice().ifPresent(out::text);
    facts.totals().ifPresent(totals -> writeTotals(totals, out));
    facts.pool().ifPresent(pool -> writePool(pool, out));
  }

  private static void writeTotals(RecordedTotals totals, ColumnWriter out) {
    out.number(totals.allocatedBefore());
    out.number(totals.reserved().size());
    for (RecordedTotals.Reserved each : totals.reserved()) {
      out.number(each.event());
      out.number(each.bytes());
    }
  }

  private static RecordedTotals readTotals(ColumnReader in) {
    long before = in.number();
    List<RecordedTotals.Reserved> reserved = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      reserved.add(new RecordedTotals.Reserved(in.count(), in.number()));
    }
    return new RecordedTotals(before, reserved);
  }

  private static void writePool(PoolRecord pool, ColumnWriter out) {
    out.number(pool.requestedInUse().size());
    for (PoolRecord.Requested each : pool.requestedInUse()) {
      out.number(each.bytes());
      out.number(each.errorBytes());
    }
    out.text(
        pool.fragmentation().isPresent()
            ? Double.toString(pool.fragmentation().getAsDouble())
            : "");
  }

  private static PoolRecord readPool(ColumnReader in) {
    List<PoolRecord.Requested> requested = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      requested.add(new PoolRecord.Requested(in.number(), in.number()));
    }
    String metric = in.text();
    return new PoolRecord(
        requested,
        metric.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(metric)));
  }

  /** 0 if empty, otherwise the number plus 1. */
  private static void writeOptional(OptionalLong value, ColumnWriter out) {
    out.number(value.isPresent() ? value.getAsLong() + 1 : 0);
  }

  private static AllocatorFacts readFacts(ColumnReader in) {
    if (in.version() < FACTS_SINCE_VERSION) {
      return AllocatorFacts.NOT_RECORDED;
    }
    try {
      AllocatorFamily family = family(in.index(4));
      OptionalLong deviceBytes = readOptional(in);
      OptionalLong deviceFreeBytes = readOptional(in);
      OptionalLong limitBytes = readOptional(in);
      int flags = in.raw();
      return new AllocatorFacts(
          family,
          deviceBytes,
          deviceFreeBytes,
          limitBytes,
          (flags & SIMULATED) != 0,
          (flags & PROFILE) != 0 ? Optional.of(in.text()) : Optional.empty(),
          (flags & TOTALS) != 0 ? Optional.of(readTotals(in)) : Optional.empty(),
          (flags & POOL) != 0 ? Optional.of(readPool(in)) : Optional.empty());
    } catch (IllegalArgumentException contradiction) {
      throw in.unreadable(String.valueOf(contradiction.getMessage()));
    }
  }

  private static OptionalLong readOptional(ColumnReader in) {
    long value = in.number();
    return value == 0 ? OptionalLong.empty() : OptionalLong.of(value - 1);
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
      int ordinal = in.count();
      devices.add(
          new Device(
              ordinal == PINNED_HOST ? DeviceSnapshot.PINNED_HOST : ordinal,
              in.count(),
              in.count(),
              readFacts(in)));
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

  private static int code(AllocatorFamily family) {
    return switch (family) {
      case CACHING -> 0;
      case BFC -> 1;
      case DIRECT -> 2;
      case UNRECORDED -> 3;
    };
  }

  private static AllocatorFamily family(int code) {
    return switch (code) {
      case 0 -> AllocatorFamily.CACHING;
      case 1 -> AllocatorFamily.BFC;
      case 2 -> AllocatorFamily.DIRECT;
      default -> AllocatorFamily.UNRECORDED;
    };
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
