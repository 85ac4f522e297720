package dev.vramscope.format.torch;

import dev.vramscope.model.AllocatorSettings;
import java.util.Optional;

/**
 * Determines the release of PyTorch that wrote a snapshot. Files have no version, but each release
 * added keys, so the newest key that occurs gives the oldest possible release. Most of these keys
 * are in events: without events, the range of releases is wider.
 */
final class Producer {
  private Producer() {}

  /**
   * The display name of the producer.
   *
   * @param seenKeys bits of the {@link Key}s that occur in the file
   */
  static String describe(long seenKeys, Optional<AllocatorSettings> settings, boolean events) {
    return "PyTorch " + release(seenKeys, settings.isPresent(), events) + extension(settings);
  }

  private static String release(long seenKeys, boolean settings, boolean events) {
    if (!has(seenKeys, Key.SEGMENTS) && !has(seenKeys, Key.DEVICE_TRACES)) {
      return releaseOfList(seenKeys);
    }
    if (has(seenKeys, Key.INTERNAL_METADATA)) {
      return "after 2.13";
    }
    if (has(seenKeys, Key.POOL_ID)) {
      return "2.12 or later";
    }
    if (has(seenKeys, Key.USER_METADATA)) {
      return "2.10 or 2.11";
    }
    if (has(seenKeys, Key.GRAPH_CAPTURE_RECORD_STREAM_REUSE)) {
      return events ? "2.9" : "2.9 or later";
    }
    if (has(seenKeys, Key.COMPILE_CONTEXT)) {
      return "2.8";
    }
    if (has(seenKeys, Key.EXTERNAL_ANNOTATIONS) && settings) {
      return events ? "2.5 to 2.7" : "2.5 to 2.8";
    }
    if (settings) {
      return "2.3 or 2.4";
    }
    if (has(seenKeys, Key.TIME_US)) {
      return "2.2";
    }
    if (has(seenKeys, Key.IS_EXPANDABLE)) {
      return events ? "2.1" : "2.1 or 2.2";
    }
    if (has(seenKeys, Key.HISTORY)) {
      return "1.13 or 2.0";
    }
    return "of an unknown release";
  }

  private static String releaseOfList(long seenKeys) {
    if (has(seenKeys, Key.IS_EXPANDABLE)) {
      return "2.1 or later";
    }
    return has(seenKeys, Key.HISTORY) ? "1.13 or 2.0" : "of an unknown release";
  }

  // Ports of the allocator to other devices use the same format with their own setting's name.
  private static String extension(Optional<AllocatorSettings> settings) {
    return settings.stream()
        .flatMap(each -> each.values().keySet().stream())
        .filter(name -> name.matches("PYTORCH_[A-Z]{1,10}_ALLOC_CONF"))
        .map(name -> name.substring("PYTORCH_".length(), name.indexOf("_ALLOC")))
        .filter(device -> !device.equals("CUDA") && !device.equals("HIP"))
        .findFirst()
        .map(device -> " for " + device)
        .orElse("");
  }

  private static boolean has(long seenKeys, Key key) {
    return (seenKeys & key.bit()) != 0;
  }
}
