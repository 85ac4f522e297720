package dev.vramscope.evidence;

import java.util.Optional;

/** A text that says something about a device. */
public sealed interface Evidence permits FailureText, SmiText, DeviceName, PoolText {
  /** The longest text that is read; a message or a table is far shorter. */
  int MAX_CHARACTERS = 20_000;

  /** What texts are recognized, as advice. */
  String RECOGNIZED =
      "Paste PyTorch's message (from \"CUDA out of memory. Tried to allocate\" on), the output of"
          + " nvidia-smi, or the name of a device with its memory, such as A100-SXM4-40GB.";

  /** The same for a dump of XLA's or TensorFlow's allocator. */
  String RECOGNIZED_OF_POOL =
      "Paste the lines of the allocator in the log (from \"ran out of memory trying to allocate\""
          + " on), the output of nvidia-smi, or the name of a device with its memory, such as"
          + " A100-SXM4-40GB.";

  /**
   * Recognizes a text: the message of a failure, the lines of a BFC allocator, or else the output
   * of {@code nvidia-smi}, or else the name of a device. Empty if it is none of them.
   */
  static Optional<Evidence> parse(String text) {
    return FailureText.parse(text)
        .map(Evidence.class::cast)
        .or(() -> PoolText.parse(text).map(Evidence.class::cast))
        .or(() -> SmiText.parse(text).map(Evidence.class::cast))
        .or(() -> DeviceName.parse(text));
  }
}
