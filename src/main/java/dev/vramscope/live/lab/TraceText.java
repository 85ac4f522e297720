package dev.vramscope.live.lab;

import dev.vramscope.live.AllocatorKind;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A script as a trace and a configuration for the command {@code replay}, which run the same way
 * there. Kernels, which a trace does not have, become the events that they delay.
 *
 * @param trace one operation per line; what only the lab knows is a comment
 * @param configuration one {@code KEY=VALUE} per line
 * @param allocator the value of the option {@code --allocator}
 */
public record TraceText(String trace, String configuration, String allocator) {
  /** Runs the script on one side. */
  public static TraceText of(Setup setup, Script script) {
    LabAllocator side = new LabAllocator(setup);
    script.operations().forEach(side::apply);
    return new TraceText(
        side.trace().stream().map(line -> line + "\n").collect(Collectors.joining()),
        configuration(setup, side),
        (setup.kind() == AllocatorKind.BFC ? AllocatorKind.BFC : AllocatorKind.CACHING).id());
  }

  private static String configuration(Setup setup, LabAllocator side) {
    String device = "FAKE_GPU_BYTES=" + setup.deviceBytes() + "\n";
    return switch (setup.kind()) {
      case CACHING -> device + "PYTORCH_CUDA_ALLOC_CONF=" + setup.settings() + "\n";
      case BFC -> bfc(side.allocator().inspect().settings(), setup.deviceBytes());
      // PyTorch without its cache makes the same calls of the driver.
      case DIRECT -> device + "PYTORCH_NO_CUDA_MEMORY_CACHING=1\n";
    };
  }

  /** The options by the names of the configuration, and a device that rounds as the lab's does. */
  private static String bfc(Map<String, String> options, long deviceBytes) {
    return options.entrySet().stream()
            .map(each -> each.getKey() + "=" + flag(each.getValue()) + "\n")
            .collect(Collectors.joining())
        + "device.capacity="
        + deviceBytes
        + "\ndevice.granularity=2M\ndevice.placement=firstfit\n";
  }

  private static String flag(String value) {
    return switch (value) {
      case "true" -> "1";
      case "false" -> "0";
      default -> value;
    };
  }
}
