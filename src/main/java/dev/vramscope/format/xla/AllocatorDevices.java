package dev.vramscope.format.xla;

import dev.vramscope.model.DeviceSnapshot;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device numbers of allocators, by their names: {@code GPU_1_bfc} is that of device 1, {@code
 * gpu_host_bfc} has pinned host memory. Any other gets a number that no other one has.
 */
public final class AllocatorDevices {
  private static final Pattern GPU = Pattern.compile("(?:GPU|gpu)[_:]([0-9]{1,4})(?![0-9])");
  private static final Pattern PINNED = Pattern.compile("(?:gpu|cuda|hip|rocm)_host(?:_|$)");

  private final Set<Integer> used = new HashSet<>();

  /** The devices of GPUs, by number. */
  public static List<DeviceSnapshot> gpus(List<DeviceSnapshot> all) {
    return all.stream()
        .filter(device -> device.ordinal() >= 0)
        .sorted(Comparator.comparingInt(DeviceSnapshot::ordinal))
        .toList();
  }

  /** The pinned host memory, if an allocator has it. */
  public static Optional<DeviceSnapshot> pinned(List<DeviceSnapshot> all) {
    return all.stream().filter(device -> device.ordinal() < 0).findFirst();
  }

  /** An allocator with the device that its number is of, in words. */
  public static String named(String allocator, int number) {
    return allocator + (number < 0 ? " (pinned host memory)" : " (device " + number + ")");
  }

  /** The number of a name alone: that of a GPU, or 0. */
  static int numberIn(String allocator) {
    Matcher gpu = GPU.matcher(allocator);
    return gpu.find() ? Integer.parseInt(gpu.group(1)) : 0;
  }

  /**
   * The number of the next allocator; of two with the same name, the second gets another one.
   *
   * @param isOnly whether there is no other one, which is then a device whatever its name is
   */
  public int number(String allocator, boolean isOnly) {
    boolean isPinned = !isOnly && PINNED.matcher(allocator).find();
    int number = isPinned ? DeviceSnapshot.PINNED_HOST : numberIn(allocator);
    if (!used.add(number)) {
      number = 0;
      while (!used.add(number)) {
        number++;
      }
    }
    return number;
  }
}
