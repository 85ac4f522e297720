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

/** The operations of a BFC trace. Each writes one record. */
final class BfcOperations {
  private final BfcAllocator allocator;
  private final SimSubAllocator device;
  private final BfcRecords records;
  private final TimingCounter counter = new TimingCounter();
  private final LiveBlocks live = new LiveBlocks();

  /** Ids that are not plain numbers are numbered from -1 down. */
  private final Map<String, Long> numberOfName = new HashMap<>();

  BfcOperations(BfcAllocator allocator, SimSubAllocator device, BfcRecords records) {
    this.allocator = allocator;
    this.device = device;
    this.records = records;
  }

  void run(TraceLines words) throws IOException {
    if (words.isOperation("malloc")) {
      malloc(words);
    } else if (words.isOperation("free")) {
      free(words);
    } else {
      runOther(words.word(0), words);
    }
  }

  private void malloc(TraceLines words) throws IOException {
    long bytes = size(words, 2);
    long alignment = BfcAllocator.DEFAULT_ALIGNMENT;
    AllocationAttributes attributes = AllocationAttributes.DEFAULT;
    for (int i = 3; i < words.words(); i++) {
      String word = words.word(i);
      int equals = word.indexOf('=');
      String value = word.substring(equals + 1);
      switch (word.substring(0, Math.max(equals, 0))) {
        case "", "align" -> alignment = Sizes.parse(value);
        default -> attributes = with(attributes, word.substring(0, equals), value, words.line());
      }
    }
    long block = allocator.tryAllocate(bytes, alignment, Streams.DEFAULT, attributes);
    live.put(id(words), block);
    records.malloc(words, block);
  }

  private static AllocationAttributes with(
      AllocationAttributes attributes, String key, String value, int line) {
    return switch (key) {
      case "retry" ->
          new AllocationAttributes(
              attributes.end(),
              value.equals("1") ? OnFailure.RETRY : OnFailure.TOLERATE,
              attributes.freedByCount());
      case "end" ->
          new AllocationAttributes(
              end(value, line), attributes.onFailure(), attributes.freedByCount());
      case "freed_by" ->
          new AllocationAttributes(attributes.end(), attributes.onFailure(), Sizes.parse(value));
      default -> throw unknown(line, "option", key);
    };
  }

  private static AllocationEnd end(String word, int line) {
    return switch (word) {
      case "lower" -> AllocationEnd.LOWER;
      case "upper" -> AllocationEnd.UPPER;
      default -> throw unknown(line, "end", word);
    };
  }

  private void free(TraceLines words) throws IOException {
    long block = live.remove(id(words));
    allocator.free(block);
    records.free(words, block == Allocator.NO_BLOCK);
  }

  private long id(TraceLines words) {
    return words.isPlainNumber(1)
        ? words.number(1)
        : numberOfName.computeIfAbsent(words.word(1), name -> -1L - numberOfName.size());
  }

  private static long size(TraceLines words, int word) {
    return words.isPlainNumber(word) ? words.number(word) : Sizes.parse(words.word(word));
  }

  private void runOther(String operation, TraceLines words) throws IOException {
    int line = words.line();
    switch (operation) {
      case "stats" -> records.statistics(line);
      case "statstext" -> records.text(line, operation, allocator.statistics().text());
      case "occupancy" -> records.text(line, operation, allocator.occupancy());
      case "snapshot" -> records.snapshot(line);
      case "memmap" -> records.memoryMap(line);
      case "device" -> records.device(line);
      case "clearstats" -> {
        allocator.clearStatistics();
        records.done(line, operation);
      }
      case "frontier" -> {
        allocator.raiseSafeFrontier(size(words, 1));
        records.frontier(line, counter.current());
      }
      default -> {
        change(operation, words);
        records.plain(line, operation);
      }
    }
  }

  private void change(String operation, TraceLines words) {
    switch (operation) {
      case "dump" ->
          allocator.logMemory(
              size(words, 1),
              words.has(2) ? end(words.word(2), words.line()) : AllocationEnd.LOWER);
      case "capacity" -> device.setCapacityBytes(size(words, 1));
      case "maxblock" -> device.setMaxBlockBytes(size(words, 1));
      case "opname" ->
          allocator.annotations().setOperation(words.word(1).equals("-") ? "" : words.word(1));
      case "scope" -> scope(words);
      case "counter" -> allocator.useTimingCounter(counter);
      default -> throw unknown(words.line(), "operation", operation);
    }
  }

  private void scope(TraceLines words) {
    if (!words.word(1).equals("push")) {
      allocator.annotations().pop();
      return;
    }
    List<String> arguments = new ArrayList<>();
    for (int i = 3; i < words.words(); i++) {
      arguments.add(words.word(i));
    }
    allocator.annotations().push(new Scope(words.word(2), arguments));
  }

  private static TraceLineException unknown(int line, String what, String word) {
    return new TraceLineException(line, "There is no " + what + " '" + word + "'.");
  }
}
