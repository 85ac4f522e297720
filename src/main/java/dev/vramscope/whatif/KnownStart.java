package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.RestoredSegment;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.model.SizeRules;

/**
 * What the allocator held when a recording in mid-run began, from which a replay continues. A
 * replay under the recorded settings has shown that it leads to the recorded events.
 *
 * @param settings the recorded ones
 */
record KnownStart(InitialState state, String settings) {
  /**
   * Whether a replay under these settings should continue from the state. It is exact for the
   * recorded settings. For others it is closer to the whole run under them than blocks that are
   * placed anew, except where expandable segments would take the place of the segments of the state
   * ({@code MidRunReplaysTest} measures both).
   */
  boolean isRightFor(String otherSettings) {
    return otherSettings.equals(settings)
        || !configuration(otherSettings).expandableSegments()
        || configuration(settings).expandableSegments();
  }

  /**
   * Whether an allocator with these settings can hold the state: its pages have the same size, and
   * its reservations are long enough.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch does
   *     not accept the settings
   */
  boolean isPossible(String otherSettings, long deviceBytes) {
    SizeRules recorded = configuration(settings).sizes();
    SizeRules other = configuration(otherSettings).sizes();
    for (RestoredSegment segment : state.segments()) {
      if (segment.expandable()
          && (other.pageBytes(segment.kind()) != recorded.pageBytes(segment.kind())
              || segment.end() - segment.address() > reservedBytes(deviceBytes))) {
        return false;
      }
    }
    return true;
  }

  /** An expandable segment reserves an eighth more than the device has. */
  private static long reservedBytes(long deviceBytes) {
    return deviceBytes + deviceBytes / 8;
  }

  private static Configuration configuration(String settings) {
    Configuration configuration = new Configuration();
    configuration.readInitial(settings, settings);
    return configuration;
  }
}
