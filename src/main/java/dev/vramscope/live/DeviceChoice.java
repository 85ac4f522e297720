package dev.vramscope.live;

import dev.vramscope.model.ByteSize;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device to host an allocator on, as it is written in requests: {@code cuda:0}, {@code
 * sim:16GiB}.
 */
public sealed interface DeviceChoice {
  /**
   * A GPU.
   *
   * @param ordinal the driver's number of the GPU, from 0
   */
  record Cuda(int ordinal) implements DeviceChoice {
    @Override
    public String toString() {
      return "cuda:" + ordinal;
    }
  }

  /**
   * A simulated device, created for one allocator.
   *
   * @param bytes the size of its memory
   */
  record Sim(long bytes) implements DeviceChoice {
    @Override
    public String toString() {
      return SIM + ByteSize.format(bytes);
    }
  }

  /** Whether the device is simulated for one allocator. */
  default boolean isSimulated() {
    return this instanceof Sim;
  }

  /** Matches a GPU. */
  Pattern CUDA = Pattern.compile("cuda:(\\d{1,3})");

  /** The prefix of a simulated device; its size follows. */
  String SIM = "sim:";

  /**
   * Parses a choice. The size of a simulated device is a {@link ByteSize}.
   *
   * @throws HostingRefusedException if the text does not name a device
   */
  static DeviceChoice parse(String text) {
    String choice = text.strip().toLowerCase(Locale.ROOT);
    Matcher cuda = CUDA.matcher(choice);
    if (cuda.matches()) {
      return new Cuda(Integer.parseInt(cuda.group(1)));
    }
    if (!choice.startsWith(SIM)) {
      throw invalid("'" + text + "' is not a device");
    }
    try {
      return new Sim(ByteSize.parse(choice.substring(SIM.length())));
    } catch (IllegalArgumentException invalid) {
      throw invalid("'" + text + "' is not a simulated device: " + invalid.getMessage());
    }
  }

  private static HostingRefusedException invalid(String message) {
    return new HostingRefusedException(
        HostingRefusedException.Kind.REQUEST,
        message,
        "device",
        "Write cuda:0 for the first GPU, or sim:16GiB for a simulated device with 16 GiB.");
  }
}
