package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.postmortem.explanation.Target;
import dev.vramscope.web.display.DisplayFormat;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The URLs at which events, allocations, addresses and sites of a snapshot can be seen. {@code
 * model/snapshot-links.ts} has the same URLs.
 *
 * @param device empty if the snapshot has only one
 */
public record SnapshotLinks(String id, OptionalInt device) {
  private static final DisplayFormat FORMAT = new DisplayFormat();

  /** Another page of the snapshot, such as {@code /oom}. */
  public String page(String path) {
    String url = "/snapshots/" + id + path;
    return device.isPresent() ? url + "?device=" + device.getAsInt() : url;
  }

  /** The timeline with the cursor on an event. */
  public String event(int event) {
    return with(page(Tab.TIMELINE.path()), "event=" + event);
  }

  /** The timeline with an allocation selected. */
  public String allocation(int row) {
    return with(page(Tab.TIMELINE.path()), "sel=" + row);
  }

  /** The timeline of the events {@code from} to {@code to}, exclusive. */
  public String timeline(int from, int to) {
    return with(page(Tab.TIMELINE.path()), "from=" + from + "&to=" + to);
  }

  /** The timeline of a range of events, with the table of its sites. */
  public String range(int from, int to, String by) {
    return with(timeline(from, to), "range=" + from + "-" + to + "&by=" + by + "#range");
  }

  /** The flame graph of what the events {@code from} to {@code to}, exclusive, allocate. */
  public String allocated(int from, int to) {
    return with(page(Tab.FLAME.path()), "measure=allocated&from=" + from + "&to=" + to);
  }

  /** Two steps of a device compared at their peaks. */
  public static String compare(String id, int device, StepTable.Step one, StepTable.Step other) {
    return "/compare?a=%1$s&b=%1$s&deviceA=%2$d&deviceB=%2$d&at=%3$d&otherAt=%4$d"
        .formatted(id, device, one.peakEvent(), other.peakEvent());
  }

  /** The event list with an event selected. */
  public String eventInList(int event) {
    return with(page(Tab.EVENTS.path()), "event=" + event);
  }

  /** The page of an allocation. */
  public String allocationPage(int row) {
    return page("/allocations/" + row);
  }

  /** The events about an address. */
  public String address(long address) {
    return with(page(Tab.EVENTS.path()), "address=" + FORMAT.hex(address));
  }

  /** The segment map with the block at an address selected. */
  public String block(long address) {
    return with(page(Tab.SEGMENTS.path()), "sel=" + FORMAT.hex(address));
  }

  /** The row of a group of allocations; without a stack there may be two groups. */
  public String site(int stack, boolean isBeforeRecording, String by) {
    String key = SiteKey.of(stack, isBeforeRecording);
    return with(page(Tab.SITES.path()), "by=" + by + "&site=" + key + "#site");
  }

  /** The list of a site's events among {@code from} to {@code to}, exclusive. */
  public String events(int from, int to, int stack, boolean isBeforeRecording) {
    String key = SiteKey.of(stack, isBeforeRecording);
    return with(page(Tab.EVENTS.path()), "events=" + from + "-" + to + "&site=" + key);
  }

  /** The row of a site. */
  public String site(Sites.Row row, String by) {
    return site(row.stack(), row.beforeRecording(), by);
  }

  /** Where the subject of a sentence about the failure {@code n} is shown. */
  String target(Target target, int n) {
    return switch (target) {
      case Target.Event(int event) -> event(event);
      case Target.Block(long address) -> block(address);
      case Target.Segment(long address) -> block(address);
      case Target.Site(int stack, boolean isBeforeRecording) ->
          site(stack, isBeforeRecording, "live");
      case Target.Section(Target.Section.Name name) ->
          (n == 0 ? page(Tab.OOM.path()) : with(page(Tab.OOM.path()), "n=" + n)) + "#" + name.id();
      case Target.Settings(String settings) -> whatIf(settings);
    };
  }

  /**
   * The post-mortem of the failure {@code n} with all its replays.
   *
   * @param total the size of the device that was entered
   */
  String replays(int n, @Nullable String total) {
    String url = with(with(page(Tab.OOM.path()), "n=" + n), "replays=true");
    return total == null
        ? url
        : with(url, "total=" + URLEncoder.encode(total, StandardCharsets.UTF_8));
  }

  /** A replay under these settings beside the recorded ones; without any, all replays. */
  public String whatIf(String settings) {
    String url = page(Tab.WHATIF.path());
    return settings.isEmpty()
        ? url
        : with(url, "settings=" + URLEncoder.encode(settings, StandardCharsets.UTF_8));
  }

  private static String with(String url, String parameter) {
    return url + (url.contains("?") ? "&" : "?") + parameter;
  }
}
