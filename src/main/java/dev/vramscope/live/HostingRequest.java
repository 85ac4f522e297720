package dev.vramscope.live;

import dev.vramscope.recorder.HistorySettings;

/**
 * What to host.
 *
 * @param name what people call it; only ever shown
 * @param device the card
 * @param kind which allocator
 * @param settings in the words of that kind, see {@link AllocatorKind}; may be empty
 * @param history what the recorder keeps
 */
public record HostingRequest(
    String name,
    DeviceChoice device,
    AllocatorKind kind,
    String settings,
    HistorySettings history) {
  /**
   * Reads a request.
   *
   * @throws HostingRefusedException if the name cannot be shown, or would change how the words
   *     around it are shown
   */
  public HostingRequest {
    name.codePoints()
        .filter(HostingRequest::disturbs)
        .findFirst()
        .ifPresent(
            character -> {
              throw new HostingRefusedException(
                  HostingRefusedException.Kind.REQUEST,
                  "The name holds the character U+%04X, which cannot be shown".formatted(character),
                  "name",
                  "Leave out control characters, and those that turn the direction of writing.");
            });
  }

  private static boolean disturbs(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> turnsDirection(character);
    };
  }

  /** Marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm. */
  private static boolean turnsDirection(int character) {
    return character == 0x061C
        || character == 0x200E
        || character == 0x200F
        || (character >= 0x202A && character <= 0x202E)
        || (character >= 0x2066 && character <= 0x2069);
  }
}
