package dev.vramscope.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of {@code nvidia-smi}: its table, or the CSV of {@code --query-gpu} with a header,
 * with {@code --query-compute-apps} or without it.
 *
 * <p>It shows the moment at which it ran, not that of a failure. Its total includes memory that the
 * driver keeps for itself: CUDA's programs see less, up to a few percent.
 *
 * @param gpus in the order of the text, at least one
 * @param isDivided whether it lists MIG devices, whose sizes are not those of the GPUs
 */
public record SmiText(List<Gpu> gpus, boolean isDivided) implements Evidence {
  /** Longer lines are not of a table. */
  private static final int MAX_LINE = 400;

  private static final Pattern GPU =
      Pattern.compile(
          "\\|\\s+([0-9]{1,3})\\s+(\\S.*?)\\s+(?:On|Off|WDDM|TCC|MCDM|N/A)\\s*\\|"
              + "\\s*[0-9A-Fa-f]{4,8}:");
  private static final Pattern MEMORY =
      Pattern.compile("\\b([0-9]{1,9})MiB\\s*/\\s*([0-9]{1,9})MiB\\b");
  private static final Pattern PROCESS =
      Pattern.compile(
          "\\|\\s+([0-9]{1,3})\\s+(?:(?:N/A|[0-9]{1,3})\\s+(?:N/A|[0-9]{1,3})\\s+)?"
              + "([0-9]{1,10})\\s+(?:C\\+G|M\\+C|C|G)\\s+(\\S.*?)\\s+(?:([0-9]{1,9})MiB|N/A)\\s*(?:\\||$)");

  public SmiText {
    gpus = List.copyOf(gpus);
  }

  /**
   * A GPU.
   *
   * @param index its number; the driver counts all GPUs of the machine
   * @param name as the driver writes it; an old driver elides it
   * @param used of all processes and of the driver; empty if the text does not have it
   * @param processes those whose memory is listed
   * @param hasAllProcesses whether the processes are listed, all with their memory
   */
  public record Gpu(
      int index,
      String name,
      Optional<Quantity> used,
      Quantity total,
      List<ProcessUse> processes,
      boolean hasAllProcesses) {
    public Gpu {
      processes = List.copyOf(processes);
    }
  }

  /** Parses a text; empty if it shows the memory of no GPU. */
  public static Optional<SmiText> parse(String text) {
    List<String> lines =
        text.substring(0, Math.min(text.length(), MAX_CHARACTERS))
            .lines()
            .filter(line -> line.length() <= MAX_LINE)
            .toList();
    List<Gpu> gpus = ofTable(lines);
    if (gpus.isEmpty()) {
      gpus = SmiCsv.gpus(lines);
    }
    boolean isDivided = lines.stream().anyMatch(line -> line.contains("MIG devices:"));
    return gpus.isEmpty() ? Optional.empty() : Optional.of(new SmiText(gpus, isDivided));
  }

  /** Megabytes of the driver: 2^20, rounded in either direction. */
  static Quantity mebibytes(String number) {
    return new Quantity(Long.parseLong(number) << 20, 1 << 20);
  }

  private static List<Gpu> ofTable(List<String> lines) {
    List<Gpu> gpus = new ArrayList<>();
    int index = -1;
    String name = "";
    for (String line : lines) {
      Matcher head = GPU.matcher(line);
      if (head.find()) {
        index = Integer.parseInt(head.group(1));
        name = head.group(2);
        continue;
      }
      Matcher memory = MEMORY.matcher(line);
      if (index >= 0 && memory.find()) {
        gpus.add(
            withProcesses(
                index,
                name,
                Optional.of(mebibytes(memory.group(1))),
                mebibytes(memory.group(2)),
                lines));
        index = -1; // Further lines with memory are those of MIG devices.
      }
    }
    return gpus;
  }

  private static Gpu withProcesses(
      int index, String name, Optional<Quantity> used, Quantity total, List<String> lines) {
    List<ProcessUse> processes = new ArrayList<>();
    boolean isListed = false;
    for (String line : lines) {
      isListed |= line.contains("Processes:");
      Matcher process = PROCESS.matcher(line);
      if (process.find() && Integer.parseInt(process.group(1)) == index) {
        if (process.group(4) == null) {
          isListed = false; // Windows does not show the memory of a process.
          break;
        }
        processes.add(
            new ProcessUse(
                Long.parseLong(process.group(2)), process.group(3), mebibytes(process.group(4))));
      }
    }
    return new Gpu(index, name, used, total, processes, isListed);
  }
}
