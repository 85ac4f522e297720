package dev.vramscope.format.torch;

import dev.vramscope.model.AllocatorSettings;
import java.util.Optional;

/**
 * Which release of PyTorch wrote a snapshot. No file says so; each release added keys, so the
 * newest key that was met gives the oldest possible release. Events carry most of these keys:
 * without any, the answer is wider.
 */
final class Producer {
  private Producer() {}

  /**
   * The writer, in words.
   *
   * @param met bits of the {@link Key}s that were met
   */
  static String describe(long met, Optional<AllocatorSettings> settings, boolean events) {
    return "PyTorch " + release(met, settings.isPresent(), events) + extension(settings);
  }

  private static String release(long met, boolean settings, boolean events) {
    if (has(met, Key.INTERNAL_METADATA)) {
      return "after 2.13";
    }
    if (has(met, Key.POOL_ID)) {
      return "2.12 or later";
    }
    if (has(met, Key.USER_METADATA)) {
      return "2.10 or 2.11";
    }
    if (has(met, Key.GRAPH_CAPTURE_RECORD_STREAM_REUSE)) {
      return events ? "2.9" : "2.9 or later";
    }
    if (has(met, Key.COMPILE_CONTEXT)) {
      return "2.8";
    }
    if (has(met, Key.EXTERNAL_ANNOTATIONS) && settings) {
      return events ? "2.5 to 2.7" : "2.5 to 2.8";
    }
    if (settings) {
      return "2.3 or 2.4";
    }
    if (has(met, Key.TIME_US)) {
      return "2.2";
    }
    if (has(met, Key.IS_EXPANDABLE)) {
      return events ? "2.1" : "2.1 or 2.2";
    }
    if (has(met, Key.HISTORY)) {
      return "1.13 or 2.0";
    }
    return "of an unknown release";
  }

  // Ports of the allocator to other devices write the same shape under their own setting's name.
  private static String extension(Optional<AllocatorSettings> settings) {
    return settings.stream()
        .flatMap(known -> known.values().keySet().stream())
        .filter(name -> name.matches("PYTORCH_[A-Z]{1,10}_ALLOC_CONF"))
        .map(name -> name.substring("PYTORCH_".length(), name.indexOf("_ALLOC")))
        .filter(device -> !device.equals("CUDA") && !device.equals("HIP"))
        .findFirst()
        .map(device -> " for " + device)
        .orElse("");
  }

  private static boolean has(long met, Key key) {
    return (met & key.bit()) != 0;
  }
}
