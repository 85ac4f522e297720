package dev.vramscope.explain.host;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Daemons that end processes before the host runs out of memory: earlyoom, systemd-oomd. */
public final class MemoryDaemons implements MessageProducer {
  private static final MessageKind ENDED =
      MessageKind.failure(
              "daemon-killed",
              Memory.HOST,
              "A daemon",
              "a process that a daemon ended for lack of memory")
          .asPart();

  private static final FieldName PID = new FieldName("pid", "Process");
  private static final FieldName NAME = new FieldName("process-name", "Name of the process");
  private static final FieldName AVAILABLE =
      new FieldName("host-available", "Available on the host");
  private static final FieldName HOST_TOTAL = new FieldName("host-total", "Memory of the host");
  private static final FieldName SWAP = new FieldName("swap-free", "Free swap");
  private static final FieldName RESIDENT = new FieldName("resident", "Resident (RSS)");
  private static final FieldName UNIT = new FieldName("unit", "Unit or cgroup");

  private static final FieldName UNIT_USED = new FieldName("unit-used", "In use by the unit");
  private static final FieldName UNIT_PEAK = new FieldName("unit-peak", "In use by it, peak");

  /** Of the reports that earlyoom writes all the time, the last one counts. */
  private static final String LAST = "(?!.{0,400}mem avail)";

  private static final String MEBIBYTES = "MiB";

  @Override
  public String name() {
    return "earlyoom, systemd-oomd";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                ENDED,
                "low memory! at or below SIG|sending SIG[A-Z]{3,5} to process [0-9]"
                    + "|Killed \\S{1,300} due to memory (?:pressure|used)",
                "low memory! at or below",
                "to process ",
                "due to memory ")
            .part("mem avail: [0-9]{1,9} of [0-9]", "mem avail: ")
            .inUnit(AVAILABLE, "mem avail: ([0-9]{1,9}) of" + LAST, MEBIBYTES)
            .bytes(HOST_TOTAL, "mem avail: [0-9]{1,9} of " + SIZE + LAST)
            .inUnit(SWAP, "swap free: ([0-9]{1,9}) of" + LAST, MEBIBYTES)
            .words(PID, "to process ([0-9]{1,10})")
            .words(NAME, "to process [0-9]{1,10} (?:uid [0-9]{1,9} )?\"([^\"]{1,80})\"")
            .bytes(RESIDENT, "VmRSS " + SIZE)
            .bytes(UNIT_USED, "Current Memory Usage: {1,9}" + SIZE)
            .bytes(UNIT_PEAK, "CPU time, " + SIZE + "(?= memory peak)")
            .words(UNIT, "Killed (\\S{1,300}) due to memory"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "earlyoom[790]: mem avail: 1510 of 64211 MiB ( 2.35%), swap free:    0 of    0 MiB ("
            + " 0.00%)\n"
            + "earlyoom[790]: low memory! at or below SIGTERM limits: mem 10.00%, swap 10.00%\n"
            + "earlyoom[790]: sending SIGTERM to process 31120 uid 1000 \"python3\": badness 1045,"
            + " VmRSS 51230 MiB",
        "systemd-oomd[611]: Killed /user.slice/user-1000.slice/session-4.scope due to memory"
            + " pressure for /user.slice/user-1000.slice being 71.20% > 50.00% for > 20s with"
            + " reclaim activity");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Optional<Facts> together = HostFailures.together(message, failure);
    if (together.isEmpty()) {
      return conclusion.build(); // Its messages are read together.
    }
    Facts facts = together.get();
    boolean isUnit = facts.written(UNIT).isPresent();
    String process =
        facts
            .written(UNIT)
            .or(() -> facts.written(PID).map("process "::concat))
            .orElse("a process");
    conclusion
        .headline(
            (isUnit ? "systemd-oomd killed " : "earlyoom ended ")
                + process
                + facts.written(NAME).map(name -> " (" + name + ")").orElse("")
                + " because the host was running out of memory: RAM, not the GPU’s.")
        .certain(
            "It is the memory of the host that was short. Settings of a GPU allocator do not change"
                + " it, and a program that is ended from outside leaves no traceback.");
    facts
        .quantity(RESIDENT)
        .ifPresent(
            bytes ->
                conclusion.certain(
                    "The process had " + Amounts.text(bytes) + " of the host’s memory (RSS)."));
    facts
        .quantity(UNIT_USED)
        .ifPresent(
            bytes ->
                conclusion.certain(
                    "All processes of this unit together had "
                        + Amounts.text(bytes)
                        + facts
                            .quantity(UNIT_PEAK)
                            .map(peak -> "; at the peak it was " + Amounts.text(peak))
                            .orElse("")
                        + "."));
    if (facts.quantity(AVAILABLE).isPresent() && facts.quantity(HOST_TOTAL).isPresent()) {
      conclusion.certain(
          Amounts.text(facts.quantity(AVAILABLE).get())
              + " of the host’s "
              + Amounts.text(facts.quantity(HOST_TOTAL).get())
              + " were available"
              + facts
                  .quantity(SWAP)
                  .map(swap -> ", and " + Amounts.text(swap) + " of swap")
                  .orElse("")
              + ".");
    }
    return conclusion
        .unknown("What in the program grew.")
        .remedy(
            "Let the program hold less on the host: fewer workers of the data loader, a smaller"
                + " prefetch, no data set in lists of Python objects, no results that are collected"
                + " on the CPU.",
            "DataLoader(…, num_workers=2, prefetch_factor=2)")
        .remedy("Or use a host with more memory, or more swap.", "")
        .next(
            new Advice(
                "Watch what the process holds on the host while it runs.",
                "grep -E 'VmRSS|RssAnon' /proc/PID/status"))
        .build();
  }
}
