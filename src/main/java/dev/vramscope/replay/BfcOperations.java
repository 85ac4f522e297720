package dev.vramscope.replay;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.AllocationAttributes;
import dev.vramscope.allocator.bfc.AllocationAttributes.OnFailure;
import dev.vramscope.allocator.bfc.AllocationEnd;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.Scope;
import dev.vramscope.allocator.bfc.TimingCounter;
import dev.vramscope.device.Streams;
import dev.vramscope.device.sim.SimSubAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the operations of a BFC trace and writes one record for each. */
final class BfcOperations {
  private final BfcAllocator allocator;
  private final SimSubAllocator device;
  private final BfcRecords records;
  private final TimingCounter counter = new TimingCounter();
  private final LiveBlocks live = new LiveBlocks();

  /** Ids that are not plain numbers are numbered downwards from -1. */
  private final Map<String, Long> numberOfName = new HashMap<>();

  BfcOperations(BfcAllocator allocator, SimSubAllocator device, BfcRecords records) {
    this.allocator = allocator;
    this.device = device;
    this.records = records;
  }

  void run(TraceLines line) throws IOException {
    if (line.isOperation("malloc")) {
      malloc(line);
    } else if (line.isOperation("free")) {
      free(line);
    } else {
      runOther(line.token(0), line);
    }
  }

  private void malloc(TraceLines line) throws IOException {
    long bytes = size(line, 2);
    long alignment = BfcAllocator.DEFAULT_ALIGNMENT;
    AllocationAttributes attributes = AllocationAttributes.DEFAULT;
    for (int i = 3; i < line.tokenCount(); i++) {
      String option = line.token(i);
      int equals = option.indexOf('=');
      String value = option.substring(equals + 1);
      switch (option.substring(0, Math.max(equals, 0))) {
        case "", "align" -> alignment = Sizes.parse(value);
        default -> attributes = with(attributes, option.substring(0, equals), value, line.line());
      }
    }
    long block = allocator.tryAllocate(bytes, alignment, Streams.DEFAULT, attributes);
    live.put(id(line), block);
    records.malloc(line, block);
  }

  private static AllocationAttributes with(
      AllocationAttributes attributes, String key, String value, int line) {
    return switch (key) {
      case "retry" ->
          new AllocationAttributes(
              attributes.end(),
              value.equals("1") ? OnFailure.RETRY : OnFailure.FAIL_FAST,
              attributes.freedByCount());
      case "end" ->
          new AllocationAttributes(
              end(value, line), attributes.onFailure(), attributes.freedByCount());
      case "freed_by" ->
          new AllocationAttributes(attributes.end(), attributes.onFailure(), Sizes.parse(value));
      default -> throw unknown(line, "option", key);
    };
  }

  private static AllocationEnd end(String name, int line) {
    return switch (name) {
      case "lower" -> AllocationEnd.LOWER;
      case "upper" -> AllocationEnd.UPPER;
      default -> throw unknown(line, "end", name);
    };
  }

  private void free(TraceLines line) throws IOException {
    long block = live.remove(id(line));
    allocator.free(block);
    records.free(line, block == Allocator.NO_BLOCK);
  }

  private long id(TraceLines line) {
    return line.isPlainNumber(1)
        ? line.number(1)
        : numberOfName.computeIfAbsent(line.token(1), name -> -1L - numberOfName.size());
  }

  private static long size(TraceLines line, int token) {
    return line.isPlainNumber(token) ? line.number(token) : Sizes.parse(line.token(token));
  }

  private void runOther(String operation, TraceLines line) throws IOException {
    int number = line.line();
    switch (operation) {
      case "stats" -> records.statistics(number);
      case "statstext" -> records.text(number, operation, allocator.statistics().text());
      case "occupancy" -> records.text(number, operation, allocator.occupancy());
      case "snapshot" -> records.snapshot(number);
      case "memmap" -> records.memoryMap(number);
      case "device" -> records.device(number);
      case "clearstats" -> {
        allocator.clearStatistics();
        records.done(number, operation);
      }
      case "frontier" -> {
        allocator.raiseSafeFrontier(size(line, 1));
        records.frontier(number, counter.current());
      }
      default -> {
        change(operation, line);
        records.plain(number, operation);
      }
    }
  }

  private void change(String operation, TraceLines line) {
    switch (operation) {
      case "dump" ->
          allocator.logMemory(
              size(line, 1), line.has(2) ? end(line.token(2), line.line()) : AllocationEnd.LOWER);
      case "capacity" -> device.setCapacityBytes(size(line, 1));
      case "maxblock" -> device.setMaxBlockBytes(size(line, 1));
      case "opname" ->
          allocator.annotations().setOperation(line.token(1).equals("-") ? "" : line.token(1));
      case "scope" -> scope(line);
      case "counter" -> allocator.useTimingCounter(counter);
      default -> throw unknown(line.line(), "operation", operation);
    }
  }

  private void scope(TraceLines line) {
    if (!line.token(1).equals("push")) {
      allocator.annotations().pop();
      return;
    }
    List<String> arguments = new ArrayList<>();
    for (int i = 3; i < line.tokenCount(); i++) {
      arguments.add(line.token(i));
    }
    allocator.annotations().push(new Scope(line.token(2), arguments));
  }

  private static TraceLineException unknown(int line, String kind, String name) {
    return new TraceLineException(line, "There is no " + kind + " '" + name + "'.");
  }
}
