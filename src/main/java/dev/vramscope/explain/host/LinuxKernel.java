package dev.vramscope.explain.host;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
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

/** The Linux kernel, which kills a process for lack of memory. */
public final class LinuxKernel implements MessageProducer {
  private static final MessageKind KILLED =
      MessageKind.failure(
          "kernel-killed", Memory.HOST, "The Linux kernel", "a process that the kernel killed");

  private static final FieldName PID = new FieldName("pid", "Process");
  private static final FieldName NAME = new FieldName("process-name", "Name of the process");
  private static final FieldName ANONYMOUS = new FieldName("anon-rss", "In memory, of its own");
  private static final FieldName FILES = new FieldName("file-rss", "In memory, of files");
  private static final FieldName SHARED = new FieldName("shmem-rss", "In memory, shared");
  private static final FieldName GROUP_ANONYMOUS =
      new FieldName("cgroup-anon", "Memory of the group’s processes of their own");
  private static final FieldName GROUP_SHARED =
      new FieldName("cgroup-shmem", "Memory that the group shares, such as /dev/shm");
  private static final FieldName VIRTUAL = new FieldName("total-vm", "Address space");

  /** What a group of the second version of cgroups has, in bytes. */
  private static final String STATS =
      "Memory cgroup stats for [^\\n]{1,400}:\\s{1,9}(?:\\[[^\\]\\n]{1,40}\\] {0,9})?";

  private static final FieldName CGROUP = new FieldName("cgroup", "Memory cgroup");

  @Override
  public String name() {
    return "Linux kernel, cgroups";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                KILLED,
                "(?:(Memory cgroup) )?[Oo]ut of memory(?: \\([^)]{1,80}\\))?: Kill(?:ed)? process"
                    + " [0-9]",
                "ut of memory")
            .part(
                "Killed process [0-9]{1,10}[ ,]|oom-kill:constraint=|memory: usage [0-9]"
                    + "|invoked oom-killer|oom_reaper: reaped process",
                "Killed process ",
                "oom-kill:constraint=",
                "memory: usage ",
                "invoked oom-killer",
                "oom_reaper: reaped")
            .words(CGROUP, "oom_memcg=([^,\\s]{1,200})|(Memory cgroup) out of memory")
            .words(PID, "Kill(?:ed)? process ([0-9]{1,10})")
            .words(
                NAME, "Kill(?:ed)? process [0-9]{1,10},? (?:UID [0-9]{1,9},? )?\\(([^)]{1,40})\\)")
            .bytes(FieldName.USED, "memory: usage " + SIZE)
            .bytes(FieldName.LIMIT, "memory: usage [0-9]{1,20}kB, limit " + SIZE)
            .bytes(GROUP_ANONYMOUS, STATS + "anon " + BYTES)
            .bytes(
                GROUP_SHARED, STATS + "(?:[a-z_]{2,20} [0-9]{1,20}\\s{1,200}){1,20}shmem " + BYTES)
            .bytes(VIRTUAL, "total-vm:" + SIZE)
            .bytes(ANONYMOUS, "anon-rss:" + SIZE)
            .bytes(FILES, "file-rss:" + SIZE)
            .bytes(SHARED, "shmem-rss:" + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Memory cgroup out of memory: Killed process 4410 (train_mt) total-vm:22118400kB,"
            + " anon-rss:9830412kB, file-rss:71240kB, shmem-rss:24kB, UID:0 pgtables:20480kB"
            + " oom_score_adj:0");
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
      return conclusion.build(); // The kernel's report has several messages, read together.
    }
    Facts facts = together.get();
    boolean isGroup = facts.written(CGROUP).isPresent();
    List<LogMessage> killed =
        facts.messages().stream().filter(each -> each.written(PID).isPresent()).toList();
    // Where a group is killed as a whole, its largest process is the first.
    Facts first = new Facts(killed.isEmpty() ? facts.messages() : killed.subList(0, 1));
    long others =
        killed.stream().map(each -> each.written(PID).get()).distinct().count()
            - (killed.isEmpty() ? 0 : 1);
    String process =
        first.written(PID).map(pid -> "process " + pid).orElse("a process")
            + first.written(NAME).map(name -> " (" + name + ")").orElse("");
    conclusion
        .headline(
            "The Linux kernel killed "
                + process
                + (others == 0 ? "" : " and " + others + (others == 1 ? " other" : " others"))
                + " because "
                + (isGroup ? "its group had used its limit of" : "the host ran out of")
                + " memory: RAM of the host, not the GPU’s.")
        .certain(
            "What ran out is the memory of the host"
                + (isGroup ? ", or the part of it that the container or job may use (cgroup)" : "")
                + ". Settings of a GPU allocator do not change it.");
    first
        .quantity(ANONYMOUS)
        .ifPresent(
            own ->
                conclusion.certain(
                    "When it was killed, "
                        + process
                        + " had "
                        + text(own)
                        + " of memory of its own (anon-rss)"
                        + first
                            .quantity(SHARED)
                            .filter(shared -> shared.bytes() > own.bytes() / 20)
                            .map(shared -> ", and " + text(shared) + " shared with others")
                            .orElse("")
                        + "."));
    if (facts.quantity(FieldName.USED).isPresent() && facts.quantity(FieldName.LIMIT).isPresent()) {
      conclusion.certain(
          "The group had used "
              + text(facts.quantity(FieldName.USED).get())
              + " of its limit of "
              + text(facts.quantity(FieldName.LIMIT).get())
              + facts
                  .quantity(GROUP_ANONYMOUS)
                  .map(own -> ", " + text(own) + " of it memory that processes made (anon)")
                  .orElse("")
              + ".");
    }
    ProcessTable tasks = LinuxTasks.before(context.text(), first.messages().getLast().line());
    long used = facts.quantity(FieldName.USED).map(Quantity::bytes).orElse(tasks.bytes());
    Optional<String> most = tasks.most(used);
    if (tasks.exceeds(used + used / 20)) {
      most.map(sentence -> sentence + " Pages that they share are counted for each of them.")
          .ifPresent(conclusion::likely);
    } else {
      most.ifPresent(conclusion::certain);
    }
    if (most.isEmpty()) {
      conclusion.likely(
          "The kernel kills the process with the most memory, which need not be the one that"
              + " grew.");
    }
    conclusion
        .remedy(
            "Let the program hold less: fewer workers of the data loader (each has its own copy of"
                + " what Python changes), smaller prefetch, no data set in lists of Python"
                + " objects.",
            "DataLoader(…, num_workers=2, prefetch_factor=2)")
        .remedy(
            isGroup
                ? "Or give the container or job more memory of the host: raise its limit."
                : "Or use a host with more memory.",
            "");
    if (most.isEmpty()) {
      conclusion.next(KERNEL_LOG);
    }
    return conclusion.build();
  }

  static final Advice KERNEL_LOG =
      new Advice(
          "Look at the kernel’s log: it lists all processes with their memory at that moment.",
          "journalctl -k | grep -i -A 40 'out of memory'");
}
