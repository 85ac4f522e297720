package dev.vramscope.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PyTorch's message of a failed request of any release since 1.0.
 *
 * @param requested "Tried to allocate"
 * @param total the size of the device, "total capacity"
 * @param free free on the device
 * @param thisProcess used by this process, inside and outside the allocator; unknown before 2.1
 * @param otherProcesses used by each other process; a container may list this process here too
 * @param allocated allocated by PyTorch
 * @param reserved reserved by PyTorch in all; since 2.1 the text has the unallocated part instead
 * @param unallocated reserved by PyTorch but not allocated; since 2.1
 */
public record FailureText(
    Optional<Quantity> requested,
    Optional<Quantity> total,
    Optional<Quantity> free,
    Optional<Quantity> thisProcess,
    List<Quantity> otherProcesses,
    Optional<Quantity> allocated,
    Optional<Quantity> reserved,
    Optional<Quantity> unallocated) {
  private static final int MAX_CHARACTERS = 20_000;

  /** Characters that loggers and mail programs put before wrapped lines. */
  private static final Pattern WRAPPED = Pattern.compile("\\s*\\R[>#|\\s]*|\\s+");

  private static final Pattern REQUESTED =
      Pattern.compile("[Tt]ried to allocate " + Quantity.PATTERN);
  // "capacty" is how PyTorch 2.1 spells it.
  private static final Pattern TOTAL =
      Pattern.compile(
          "total capaci?ty of " + Quantity.PATTERN + "|" + Quantity.PATTERN + " total capacity");
  private static final Pattern FREE =
      Pattern.compile("of which " + Quantity.PATTERN + " is free|" + Quantity.PATTERN + " free;");
  private static final Pattern THIS_PROCESS =
      Pattern.compile("this process has " + Quantity.PATTERN + " memory in use");
  private static final Pattern OTHER_PROCESS =
      Pattern.compile("Process [0-9]{1,10} has " + Quantity.PATTERN + " memory in use");
  private static final Pattern ALLOCATED =
      Pattern.compile(
          Quantity.PATTERN + " is allocated by PyTorch|" + Quantity.PATTERN + " already allocated");
  private static final Pattern RESERVED =
      Pattern.compile(
          Quantity.PATTERN + " reserved in total by PyTorch|" + Quantity.PATTERN + " cached\\)");
  private static final Pattern UNALLOCATED =
      Pattern.compile(Quantity.PATTERN + " is reserved by PyTorch but unallocated");

  public FailureText {
    otherProcesses = List.copyOf(otherProcesses);
  }

  /** Parses a text; empty if it contains no number of such a message. */
  public static Optional<FailureText> parse(String text) {
    String part = text.substring(0, Math.min(text.length(), MAX_CHARACTERS));
    String line = WRAPPED.matcher(part).replaceAll(" ");
    List<Quantity> others = all(OTHER_PROCESS, line);
    FailureText found =
        new FailureText(
            first(REQUESTED, line),
            first(TOTAL, line),
            first(FREE, line),
            first(THIS_PROCESS, line),
            others,
            first(ALLOCATED, line),
            first(RESERVED, line),
            first(UNALLOCATED, line));
    boolean isMessage = found.requested.isPresent() || found.total.isPresent();
    return isMessage ? Optional.of(found) : Optional.empty();
  }

  /** The first match: a log repeats the message, once a rank. */
  private static Optional<Quantity> first(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Optional.of(quantity(matcher)) : Optional.empty();
  }

  private static List<Quantity> all(Pattern pattern, String line) {
    List<Quantity> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(line);
    while (matcher.find()) {
      found.add(quantity(matcher));
    }
    return found;
  }

  /** The groups of the alternative that matched. */
  private static Quantity quantity(Matcher matcher) {
    int group = 1;
    while (matcher.group(group) == null) {
      group += 2;
    }
    return Quantity.of(matcher.group(group), matcher.group(group + 1));
  }
}
