package dev.vramscope.explain.host;

import static dev.vramscope.explain.message.Amounts.text;

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

/** Slurm, PBS and LSF: a job that exceeded its memory. */
public final class BatchSystem implements MessageProducer {
  private static final MessageKind KILLED =
      MessageKind.failure(
          "job-killed", Memory.HOST, "The batch system", "a job that exceeded its memory");

  /** PBS writes kb for units of 1024 bytes. */
  private static final String KILOBYTES = "([0-9]{1,18})( ?[kK][bB])\\b";

  private static final FieldName STEP = new FieldName("step", "Step of the job");
  private static final FieldName COUNT = new FieldName("kills", "Processes killed");

  private static final FieldName NODE = new FieldName("node", "Node");
  private static final FieldName TASK = new FieldName("task", "Task");

  @Override
  public String name() {
    return "Slurm, PBS, LSF";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                KILLED,
                "Detected [0-9]{1,9} oom[-_]kill event|oom[-_]kill event\\(?s?\\)? in"
                    + "|[Ee]xceeded (?:job|step) memory limit|task [0-9]{1,6}: Out Of Memory"
                    + "|TERM_MEMLIMIT: job killed"
                    + "|job killed: (?:v?mem|pmem) [0-9]{1,18}kb exceeded limit",
                "oom-kill event",
                "oom_kill event",
                "memory limit",
                ": Out Of Memory",
                "TERM_MEMLIMIT",
                "exceeded limit")
            .words(NODE, "([^\\s:]{1,80}): task [0-9]{1,6}: Out Of Memory")
            .words(TASK, "task ([0-9]{1,6}): Out Of Memory")
            .words(COUNT, "Detected ([0-9]{1,9}) oom")
            .words(STEP, "(?:StepId=|step )([0-9][A-Za-z0-9._+-]{0,60})")
            .bytes(FieldName.USED, "job killed: [a-z]{1,6} " + KILOBYTES)
            .bytes(FieldName.LIMIT, "exceeded limit " + KILOBYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=7731.batch cgroup. Some of your"
            + " processes may have been killed by the cgroup out-of-memory handler.",
        "srun: error: node07: task 0: Out Of Memory",
        "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  @Override
  public int rank(LogMessage message) {
    return 1;
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Facts facts = new Facts(failure);
    facts
        .written(TASK)
        .ifPresent(
            task ->
                conclusion.certain(
                    "Slurm names the one that was killed: task "
                        + task
                        + facts.written(NODE).map(" on "::concat).orElse("")
                        + "."));
    return conclusion
        .headline(
            "A process of the job was killed because the job had used its limit of the host’s"
                + " memory (RAM), not that of the GPU.")
        .certain(
            "The limit is the one that the job asked for, or the default: the batch system enforces"
                + " it with a cgroup"
                + message
                    .quantity(FieldName.LIMIT)
                    .map(limit -> ", " + text(limit) + " here")
                    .orElse("")
                + message
                    .quantity(FieldName.USED)
                    .map(Amounts::text)
                    .map(used -> "; " + used + " were used")
                    .orElse("")
                + ".")
        .remedy(
            "Ask for more memory, or use less of it: a data set that is cached in memory, workers"
                + " of the data loader with a copy each, a checkpoint that is loaded by every"
                + " rank.",
            "#SBATCH --mem=64G")
        .unknown(
            message.quantity(FieldName.USED).isPresent()
                ? "Which of the job’s processes grew."
                : "How much the job had used, and which of its processes grew.")
        .next(
            new Advice(
                "Compare what the job asked for with what it used at most.",
                "sacct -j JOB --format=JobID,ReqMem,MaxRSS,State"))
        .build();
  }
}
