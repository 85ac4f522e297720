package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings and the release that a caching allocator was recorded with, as far as the recording
 * shows them.
 *
 * @param text the settings as a whole {@code PYTORCH_CUDA_ALLOC_CONF}
 * @param tieBreaks the rules for equal free blocks that the release may have; the likelier first
 * @param notes what was inferred or is unknown; for a page
 */
public record RecordedSettings(String text, List<TieBreak> tieBreaks, List<String> notes) {
  private static final Pattern RELEASE = Pattern.compile("PyTorch (?:after )?(\\d+)\\.(\\d+)");

  /** The first release that uses the oldest segment's block of several equal ones. */
  private static final int FIRST_MINOR_BY_AGE = 14;

  public RecordedSettings {
    tieBreaks = List.copyOf(tieBreaks);
    notes = List.copyOf(notes);
  }

  /** The settings of one device's recording. */
  public static RecordedSettings of(Snapshot snapshot, DeviceSnapshot device) {
    List<String> notes = new ArrayList<>();
    String text = text(snapshot, device, notes);
    return new RecordedSettings(text, tieBreaks(snapshot, device), notes);
  }

  /** The arithmetic of sizes under these settings. */
  SizeRules sizes() {
    Configuration configuration = new Configuration();
    configuration.readInitial(text, text);
    return configuration.sizes();
  }

  private static String text(Snapshot snapshot, DeviceSnapshot device, List<String> notes) {
    if (snapshot.settings().isEmpty()) {
      boolean expandable = hasExpandableSegments(device);
      notes.add(
          "The file does not contain the allocator's settings; "
              + (expandable
                  ? "expandable segments are seen in it, all others are taken as the defaults."
                  : "the defaults are assumed."));
      return expandable ? "expandable_segments:True" : "";
    }
    AllocatorSettings recorded = snapshot.settings().get();
    String text = recorded.configuration().orElse("");
    if (recorded.configuration().isPresent() && isAccepted(text)) {
      return text;
    }
    String rebuilt = rebuilt(recorded);
    if (!rebuilt.isEmpty() || !text.isEmpty()) {
      notes.add(
          "The recorded settings string is missing or has keys that PyTorch 2.14 does not accept;"
              + " the recorded values are used: "
              + (rebuilt.isEmpty() ? "all defaults" : rebuilt)
              + ".");
    }
    return rebuilt;
  }

  private static String rebuilt(AllocatorSettings recorded) {
    List<String> parts = new ArrayList<>();
    if (recorded.expandableSegments().orElse(false)) {
      parts.add("expandable_segments:True");
    }
    recorded.maxSplitBytes().ifPresent(bytes -> parts.add("max_split_size_mb:" + (bytes >> 20)));
    String divisions = divisions(recorded.values());
    if (!divisions.isEmpty()) {
      parts.add("roundup_power2_divisions:[" + divisions + "]");
    }
    parts.removeIf(part -> !isAccepted(part));
    return String.join(",", parts);
  }

  private static String divisions(Map<String, String> values) {
    List<String> divisions = new ArrayList<>();
    for (int interval = 0; interval < SizeRules.ROUNDING_INTERVALS; interval++) {
      String value = values.getOrDefault("roundup_power2_divisions." + (1 << interval), "0");
      if (!value.equals("0")) {
        divisions.add((1 << interval) + ":" + value);
      }
    }
    return String.join(",", divisions);
  }

  private static boolean isAccepted(String settings) {
    try {
      new Configuration().readInitial(settings, settings);
      return true;
    } catch (ConfigurationException rejected) {
      return false;
    }
  }

  private static boolean hasExpandableSegments(DeviceSnapshot device) {
    if (device.segments().stream().anyMatch(Segment::expandable)) {
      return true;
    }
    Trace trace = device.trace();
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.SEGMENT_MAP) {
        return true;
      }
    }
    return false;
  }

  /**
   * A hosted allocator behaves like 2.14. Of a file only the range of releases is known, and one
   * whose range includes 2.14 may have either rule.
   */
  private static List<TieBreak> tieBreaks(Snapshot snapshot, DeviceSnapshot device) {
    String producer = snapshot.origin().producer();
    if (device.facts().isRecorded() || producer.startsWith("PyTorch after")) {
      return List.of(TieBreak.SEGMENT_AGE);
    }
    Matcher release = RELEASE.matcher(producer);
    if (!release.find() || Integer.parseInt(release.group(1)) > 2) {
      return List.of(TieBreak.SEGMENT_AGE, TieBreak.ADDRESS);
    }
    boolean isOpen = producer.contains("or later");
    int minor = Integer.parseInt(release.group(2));
    if (Integer.parseInt(release.group(1)) == 2 && minor >= FIRST_MINOR_BY_AGE) {
      return List.of(TieBreak.SEGMENT_AGE);
    }
    return isOpen ? List.of(TieBreak.SEGMENT_AGE, TieBreak.ADDRESS) : List.of(TieBreak.ADDRESS);
  }
}
