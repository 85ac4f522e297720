package dev.vramscope.web.snapshot;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;

/**
 * What pages call the memory of a device: in the words of its allocator, and no size requested that
 * the file does not have.
 *
 * @param segment contiguous memory of the device, in the singular; also its entry in the glossary
 * @param amount which bytes of an allocation are counted; also its entry in the glossary
 * @param hasStreams whether free memory is kept for one stream
 */
public record MemoryWords(String segment, String amount, boolean hasStreams) {
  static MemoryWords of(DeviceSnapshot device) {
    AllocatorFamily family = device.facts().family();
    return new MemoryWords(
        family.isBfc() ? "region" : "segment",
        device.hasRequestedBytes() ? "requested" : "allocated",
        !family.isBfc());
  }

  /** The title of the page of the segments, such as {@code Regions}. */
  public String segments() {
    return Character.toUpperCase(segment.charAt(0)) + segment.substring(1) + "s";
  }
}
