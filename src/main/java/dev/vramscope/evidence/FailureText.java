package dev.vramscope.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PyTorch's message of a failed request of any release since 1.0.
 *
 * @param device the number of the device, as the program counts its devices
 * @param requested "Tried to allocate": the segment that the allocator asked the driver for
 * @param total the size of the device, "total capacity"
 * @param free free on the device
 * @param thisProcess used by this process, inside and outside the allocator; unknown before 2.1
 * @param allowed the most that the allocator may reserve, if the program has set a fraction
 * @param otherProcesses used by each other process; in a container, this process may be among them
 * @param allocated allocated by PyTorch
 * @param reserved reserved by PyTorch in all; since 2.1 the text has the unallocated part instead
 * @param unallocated reserved by PyTorch but not allocated; since 2.1
 */
public record FailureText(
    OptionalInt device,
    Optional<Quantity> requested,
    Optional<Quantity> total,
    Optional<Quantity> free,
    Optional<Quantity> allowed,
    Optional<Quantity> thisProcess,
    List<ProcessUse> otherProcesses,
    Optional<Quantity> allocated,
    Optional<Quantity> reserved,
    Optional<Quantity> unallocated)
    implements Evidence {
  /** Characters that loggers and mail programs put before wrapped lines. */
  private static final Pattern WRAPPED = Pattern.compile("\\s*\\R[>#|\\s]*|\\s+");

  private static final Pattern DEVICE = Pattern.compile(TorchPhrases.device("G"));
  private static final Pattern REQUESTED = Pattern.compile(TorchPhrases.REQUESTED);
  private static final Pattern TOTAL = Pattern.compile(TorchPhrases.TOTAL);
  private static final Pattern FREE = Pattern.compile(TorchPhrases.FREE);
  private static final Pattern ALLOWED = Pattern.compile(TorchPhrases.ALLOWED);
  private static final Pattern THIS_PROCESS = Pattern.compile(TorchPhrases.THIS_PROCESS);
  private static final Pattern OTHER_PROCESS = Pattern.compile(TorchPhrases.OTHER_PROCESS);
  private static final Pattern ALLOCATED = Pattern.compile(TorchPhrases.ALLOCATED);
  private static final Pattern RESERVED =
      Pattern.compile(TorchPhrases.RESERVED + "|" + TorchPhrases.CACHED);
  private static final Pattern UNALLOCATED = Pattern.compile(TorchPhrases.UNALLOCATED);

  public FailureText {
    otherProcesses = List.copyOf(otherProcesses);
  }

  /** Parses a text; empty if it contains no number of such a message. */
  public static Optional<FailureText> parse(String text) {
    String part = text.substring(0, Math.min(text.length(), MAX_CHARACTERS));
    String line = WRAPPED.matcher(part).replaceAll(" ");
    Matcher device = DEVICE.matcher(line);
    FailureText message =
        new FailureText(
            device.find() ? OptionalInt.of(Integer.parseInt(device.group(1))) : OptionalInt.empty(),
            first(REQUESTED, line),
            first(TOTAL, line),
            first(FREE, line),
            first(ALLOWED, line),
            first(THIS_PROCESS, line),
            otherProcesses(line),
            first(ALLOCATED, line),
            first(RESERVED, line),
            first(UNALLOCATED, line));
    boolean isMessage = message.requested.isPresent() || message.total.isPresent();
    return isMessage ? Optional.of(message) : Optional.empty();
  }

  /** The first match: a log repeats the message, once a rank. */
  private static Optional<Quantity> first(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? quantity(matcher) : Optional.empty();
  }

  /** The processes of the first message: they are listed before the allocated memory. */
  private static List<ProcessUse> otherProcesses(String line) {
    Matcher end = ALLOCATED.matcher(line);
    Matcher matcher = OTHER_PROCESS.matcher(line);
    matcher.region(0, end.find() ? end.start() : line.length());
    List<ProcessUse> processes = new ArrayList<>();
    while (matcher.find()) {
      long process = Long.parseLong(matcher.group(1));
      Quantity.of(matcher.group(2), matcher.group(3))
          .ifPresent(memory -> processes.add(new ProcessUse(process, "", memory)));
    }
    return processes;
  }

  /** The groups of the alternative that matched. */
  private static Optional<Quantity> quantity(Matcher matcher) {
    int group = 1;
    while (matcher.group(group) == null) {
      group += 2;
    }
    return Quantity.of(matcher.group(group), matcher.group(group + 1));
  }
}
