package dev.vramscope.format.plot;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes a snapshot as the pages of 2022 and 2023 have it. */
final class PlotPages {
  private final Snapshot snapshot;
  private final DeviceSnapshot device;
  private final List<String> strings = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<List<@Nullable Integer>> suffixes = new ArrayList<>();
  private final Map<List<@Nullable Integer>, Integer> rows = new HashMap<>();

  PlotPages(Snapshot snapshot) {
    this.snapshot = snapshot;
    device = snapshot.devices().getFirst();
  }

  private static String page(String name, Map<String, ?> data) {
    return "\n<!DOCTYPE html>\n<html>\n<head></head>\n<body>\n<script type=\"module\">\n"
        + "import {main} from \"https://example.org/Plot.js\"\nlet "
        + name
        + " = "
        + JsonMapper.shared().writeValueAsString(data)
        + "\nmain("
        + name
        + ")\n</script>\n</body>\n</html>\n";
  }

  /** The page of trace_plot as of 2023, or as of 2022: without addresses and final blocks. */
  String allocations(boolean isOf2023) {
    List<Long> sizes = new ArrayList<>();
    List<@Nullable Integer> infos = new ArrayList<>();
    List<Integer> actions = new ArrayList<>();
    List<Integer> before = new ArrayList<>();
    Map<Long, Integer> live = new HashMap<>();
    Map<Long, Integer> versions = new HashMap<>();
    Trace trace = device.trace();
    for (int event = 0; event < trace.size(); event++) {
      long address = trace.address(event);
      boolean isAllocation = trace.action(event) == TraceAction.ALLOC;
      if (!isAllocation && trace.action(event) != TraceAction.FREE_COMPLETED) {
        continue;
      }
      Integer element = isAllocation ? null : live.remove(address);
      if (element == null) {
        element = sizes.size();
        sizes.add(trace.bytes(event));
        List<String> lines = new ArrayList<>();
        lines.add(heading(address, trace.bytes(event), isOf2023, versions));
        if (!isAllocation) {
          lines.add("alloc not recorded, stack trace for free:");
          before.addFirst(element);
        } else {
          live.put(address, element);
        }
        infos.add(info(lines, trace.stack(event)));
      }
      actions.add(element);
    }
    if (isOf2023) {
      for (Segment segment : device.segments()) {
        for (Block block : segment.blocks()) {
          if (block.state() == BlockState.ALLOCATED && !live.containsKey(block.address())) {
            before.addFirst(sizes.size());
            sizes.add(block.requestedBytes());
            List<String> lines = new ArrayList<>();
            lines.add(heading(block.address(), block.requestedBytes(), true, versions));
            if (block.stack() == StackTable.NONE) {
              lines.add("<block was allocated before _record_history was enabled>");
            }
            infos.add(info(lines, block.stack()));
          }
        }
      }
    }
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("actions", actions);
    if (isOf2023) {
      data.put("elements_size", sizes);
      data.put("elements_info", infos);
      data.put("elements_category", null);
    } else {
      List<Map<String, @Nullable Object>> elements = new ArrayList<>();
      for (int i = 0; i < sizes.size(); i++) {
        Map<String, @Nullable Object> element = new LinkedHashMap<>();
        element.put("size", sizes.get(i));
        element.put("info", infos.get(i));
        elements.add(element);
      }
      data.put("elements", elements);
    }
    data.put("suffix_table", suffixes);
    data.put("string_table", strings);
    data.put("initially_allocated", before);
    return page("alloc_data", data);
  }

  private static String heading(
      long address, long bytes, boolean isOf2023, Map<Long, Integer> versions) {
    String size = "%.1fKiB allocation".formatted(bytes / 1024.0);
    int version = versions.merge(address, 1, Integer::sum) - 1;
    return isOf2023 ? "b%x_%d %s (%d bytes)".formatted(address, version, size, bytes) : size;
  }

  /** The page of segment_plot. */
  String segments() {
    Map<String, List<@Nullable Object>> events =
        columns("action", "addr", "size", "stream", "frames");
    Trace trace = device.trace();
    Map<Integer, Long> free = new HashMap<>();
    for (OomEvent oom : trace.ooms()) {
      free.put(oom.event(), oom.deviceFreeBytes());
    }
    for (int event = 0; event < trace.size(); event++) {
      String action = trace.action(event).torchName();
      boolean isPair =
          trace.action(event) == TraceAction.FREE_REQUESTED
              && event + 1 < trace.size()
              && trace.action(event + 1) == TraceAction.FREE_COMPLETED
              && trace.address(event) == trace.address(event + 1);
      add(events, "action", string(isPair ? "free" : action));
      add(events, "addr", free.getOrDefault(event, trace.address(event)));
      add(events, "size", trace.bytes(event));
      add(events, "stream", trace.stream(event));
      add(events, "frames", info(List.of(), trace.stack(event)));
      event += isPair ? 1 : 0;
    }
    Map<String, List<@Nullable Object>> segments = columns("addr", "size", "stream");
    Map<String, List<@Nullable Object>> blocks =
        columns("addr", "size", "real_size", "frames", "pending_free");
    for (Segment segment : device.segments()) {
      add(segments, "addr", segment.address());
      add(segments, "size", segment.bytes());
      add(segments, "stream", segment.stream());
      for (Block block : segment.blocks()) {
        if (block.isActive()) {
          add(blocks, "addr", block.address());
          add(blocks, "size", block.bytes());
          add(blocks, "real_size", block.requestedBytes());
          add(blocks, "frames", info(List.of(), block.stack()));
          add(blocks, "pending_free", block.state() == BlockState.PENDING_FREE ? 1 : 0);
        }
      }
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("string_table", strings);
    data.put("suffix_table", suffixes);
    data.put("events", events);
    data.put("segments", segments);
    data.put("blocks", blocks);
    return page("trace_data", data);
  }

  private static Map<String, List<@Nullable Object>> columns(String... names) {
    Map<String, List<@Nullable Object>> columns = new LinkedHashMap<>();
    for (String name : names) {
      columns.put(name, new ArrayList<>());
    }
    return columns;
  }

  private static void add(
      Map<String, List<@Nullable Object>> columns, String name, @Nullable Object value) {
    columns.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  private @Nullable Integer info(List<String> lines, int stack) {
    List<String> all = new ArrayList<>(lines);
    for (Frame frame : snapshot.stacks().framesOf(stack)) {
      all.add(frame.file() + ":" + frame.line() + ":" + frame.name());
    }
    Integer row = null;
    for (String line : all.reversed()) {
      List<@Nullable Integer> pair = new ArrayList<>();
      pair.add(string(line));
      pair.add(row);
      row =
          rows.computeIfAbsent(
              pair,
              each -> {
                suffixes.add(each);
                return suffixes.size() - 1;
              });
    }
    return row;
  }

  private int string(String text) {
    return numbers.computeIfAbsent(
        text,
        each -> {
          strings.add(each);
          return strings.size() - 1;
        });
  }
}
