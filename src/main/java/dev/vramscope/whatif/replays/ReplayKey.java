package dev.vramscope.whatif.replays;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Variant;
import java.util.Locale;

/**
 * What identifies the result of a replay among those of one snapshot.
 *
 * @param device the ordinal of the recording
 * @param size of the simulated device
 */
public record ReplayKey(int device, DeviceSize size, Variant variant) {
  /** The same text for the same replay, in every version. */
  public String text() {
    String total = size.totalBytes().isPresent() ? "" + size.totalBytes().getAsLong() : "unlimited";
    return "device "
        + device
        + " of "
        + total
        + " less "
        + size.othersBytes()
        + ": "
        + switch (variant) {
          case Variant.Caching(String settings, EmptyCache when) ->
              "caching " + when.name().toLowerCase(Locale.ROOT) + " " + settings;
          case Variant.Bfc bfc -> "bfc " + bfc.pool().key();
          case Variant.Direct _ -> "direct";
        };
  }
}
