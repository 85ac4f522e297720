package dev.vramscope.explain.host;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Ray's memory monitor, which ends workers before the host runs out of memory. */
public final class RayMonitor implements MessageProducer {
  private static final MessageKind KILLED =
      MessageKind.failure(
          "ray-killed", Memory.HOST, "Ray", "a worker that Ray’s memory monitor ended");

  private static final MessageKind STORE_FULL =
      MessageKind.failure(
          "ray-object-store", Memory.HOST, "Ray", "an object for which Ray’s store was full");

  private static final FieldName WORKER = new FieldName("worker", "Used by the worker");
  private static final FieldName THRESHOLD = new FieldName("threshold", "Threshold");

  @Override
  public String name() {
    return "Ray";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                KILLED,
                "(?:Task|Actor|The (?:task|actor|worker)) (?:was|died)[^.]{0,120}"
                    + "(?:running low on memory|memory pressure)"
                    + "|Workers \\(tasks / actors\\) killed due to memory pressure",
                "running low on memory",
                "memory pressure")
            .part("Memory on the node \\(IP: ", "Memory on the node (IP")
            .bytes(FieldName.USED, "was running was " + SIZE)
            .bytes(FieldName.TOTAL, "was running was [0-9.]{1,12} ?[KMGT]i?B ?/ ?" + SIZE)
            .words(THRESHOLD, "memory usage threshold of ([0-9]{1,3}(?:\\.[0-9]{1,6})?)")
            .bytes(WORKER, "pid=[0-9]{1,10}, memory used=" + SIZE),
        MessageForm.of(
                STORE_FULL,
                "Failed to put object [0-9a-f]{1,80} in object store because it is full",
                "in object store because it is full")
            .bytes(FieldName.REQUESTED, "Object size is " + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on"
            + " memory.\nMemory on the node (IP: 10.0.3.7, ID: 5d0c) where the task (task ID: ff0a,"
            + " name=Worker.__init__, pid=7121, memory used=10.37GB) was running was 61.18GB /"
            + " 64.00GB (0.955937), which exceeds the memory usage threshold of 0.95.",
        "ray.exceptions.ObjectStoreFullError: Failed to put object"
            + " 00ffffffffffffffffffffffffffffffffffffff0100000001000000 in object store because it"
            + " is full. Object size is 8000000000 bytes.");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == STORE_FULL) {
      return conclusion
          .headline(
              "Ray’s object store had no room for an object: memory of the host, not the GPU’s.")
          .certain(
              "The store has a fixed part of the host’s memory (by default 30 %, in /dev/shm)."
                  + " Settings of a GPU allocator do not change it.")
          .remedy(
              "Keep fewer references to results, or give the store more memory.",
              "ray start --object-store-memory=20000000000")
          .build();
    }
    Optional<String> used = message.quantity(FieldName.USED).map(Amounts::text);
    Optional<String> total = message.quantity(FieldName.TOTAL).map(Amounts::text);
    conclusion
        .headline(
            "Ray killed a worker because the memory of the host was nearly used up, not that of the"
                + " GPU.")
        .certain(
            used.map(
                        bytes ->
                            bytes
                                + total.map(all -> " of " + all).orElse("")
                                + " of RAM were in use")
                    .orElse("The host’s memory was in use")
                + message
                    .written(THRESHOLD)
                    .map(share -> ", more than the threshold of " + share)
                    .orElse("")
                + ". Ray’s memory monitor ends a worker then, before the kernel does.");
    message
        .quantity(WORKER)
        .ifPresent(bytes -> conclusion.certain("The worker itself used " + text(bytes) + "."));
    ProcessTable processes = RayTopProcesses.of(context.text());
    processes
        .most(message.quantity(FieldName.USED).map(Quantity::bytes).orElse(processes.bytes()))
        .ifPresent(conclusion::certain);
    conclusion
        .remedy(
            "Start fewer workers at once, or ask for more CPUs per task, which runs fewer in"
                + " parallel.",
            "@ray.remote(num_cpus=4)")
        .remedy(
            "Where workers load a model: lower its swap space, load it in turns, or use a node"
                + " with more memory.",
            "")
        .next(
            new Advice(
                "See what each worker holds, before it is ended.",
                "ray memory --stats-only; top -o RES"));
    return conclusion.build();
  }
}
