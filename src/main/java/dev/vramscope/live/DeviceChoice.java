package dev.vramscope.live;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A card to host an allocator on, as people write it: {@code cuda:0}, {@code sim:16GiB}. */
public sealed interface DeviceChoice {
  /**
   * A GPU.
   *
   * @param ordinal its number in the driver, from 0
   */
  record Cuda(int ordinal) implements DeviceChoice {
    @Override
    public String toString() {
      return "cuda:" + ordinal;
    }
  }

  /**
   * A simulated card, made for one allocator.
   *
   * @param bytes its size
   */
  record Sim(long bytes) implements DeviceChoice {
    @Override
    public String toString() {
      return SIM + ByteCount.text(bytes);
    }
  }

  /** A GPU by its number. */
  Pattern CUDA = Pattern.compile("cuda:(\\d{1,3})");

  /** How a simulated card begins. */
  String SIM = "sim:";

  /**
   * Reads a choice. Sizes are as {@link ByteCount} reads them.
   *
   * @throws HostingRefusedException if it is none
   */
  static DeviceChoice parse(String text) {
    String choice = text.strip().toLowerCase(Locale.ROOT);
    Matcher cuda = CUDA.matcher(choice);
    if (cuda.matches()) {
      return new Cuda(Integer.parseInt(cuda.group(1)));
    }
    if (choice.startsWith(SIM)) {
      Long bytes = ByteCount.parse(choice.substring(SIM.length()));
      if (bytes != null && bytes > 0) {
        return new Sim(bytes);
      }
    }
    throw new HostingRefusedException(
        HostingRefusedException.Kind.REQUEST,
        "'" + text + "' names no card",
        "device",
        "Write cuda:0 for the first GPU, or sim:16GiB for a simulated card of that size.");
  }
}
