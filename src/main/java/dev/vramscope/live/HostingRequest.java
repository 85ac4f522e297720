package dev.vramscope.live;

import dev.vramscope.model.VisibleText;
import dev.vramscope.recorder.HistorySettings;

/**
 * The parameters of an allocator to host.
 *
 * @param name a display name
 * @param device the device
 * @param kind the kind of allocator
 * @param settings in the syntax of that kind, see {@link AllocatorKind}; may be empty
 * @param history what the recorder records
 */
public record HostingRequest(
    String name,
    DeviceChoice device,
    AllocatorKind kind,
    String settings,
    HistorySettings history) {
  /**
   * Validates the name.
   *
   * @throws HostingRefusedException if the name cannot be displayed, or would change the display of
   *     the text around it
   */
  public HostingRequest {
    name.codePoints()
        .filter(VisibleText::isUnsafe)
        .findFirst()
        .ifPresent(
            character -> {
              throw new HostingRefusedException(
                  HostingRefusedException.Kind.REQUEST,
                  "The name contains the character U+%04X, which cannot be displayed"
                      .formatted(character),
                  "name",
                  "Remove control characters, and characters that change the text direction.");
            });
  }
}
