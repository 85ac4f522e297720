package dev.vramscope.explain.host;

import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Kubernetes and Docker: containers that were ended for lack of memory, pods that were evicted. */
public final class Kubernetes implements MessageProducer {
  private static final MessageKind CONTAINER =
      MessageKind.failure(
          "container-killed",
          Memory.HOST,
          "The Linux kernel",
          "a container that was ended for lack of memory");

  private static final MessageKind EVICTED =
      MessageKind.failure(
          "pod-evicted", Memory.HOST, "The kubelet", "a pod that was evicted for lack of memory");

  /** Kubernetes writes Gi for GiB, and bytes without a unit. */
  private static final String SIZE = "([0-9]{1,15}(?:\\.[0-9]{1,6})?)( ?(?:[KMGT]i?B?|bytes))\\b";

  /** The cells before the memory in a list of limits or requests. */
  private static final String OTHERS = "(?:[a-z.0-9/-]{1,40}: [0-9a-zA-Z.]{1,12} ){0,6}";

  private static final FieldName ASKED =
      new FieldName("asked", "Memory that the container asks for");
  private static final FieldName EXIT = new FieldName("exit-code", "Exit code");
  private static final FieldName REASON = new FieldName("reason", "Reason");
  private static final FieldName CONTAINER_NAME = new FieldName("container", "Container");
  private static final FieldName THRESHOLD =
      new FieldName("threshold", "Least that has to be free");
  private static final FieldName AVAILABLE =
      new FieldName("host-available", "Available on the host");

  @Override
  public String name() {
    return "Kubernetes, Docker";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                EVICTED, "The node was low on resource: memory", "was low on resource: memory")
            .bytes(THRESHOLD, "Threshold quantity: " + SIZE)
            .bytes(AVAILABLE, "available: " + SIZE)
            .words(CONTAINER_NAME, "Container (\\S{1,60}) was using [0-9]")
            .bytes(FieldName.USED, "was using " + SIZE)
            .bytes(ASKED, "was using [0-9A-Za-z. ]{1,20}, request is " + SIZE),
        MessageForm.of(
                CONTAINER, "\\bOOMKill(?:ed|ing)\\b(?!\"?\\s{0,3}[:=]\\s{0,3}false)", "OOMKill")
            .part(
                "Exit Code: 137|(?:Limits|Requests): " + OTHERS + "memory: [0-9]",
                "Exit Code: 137",
                "Limits: ",
                "Requests: ")
            .words(REASON, "(OOMKilled|OOMKilling)")
            .bytes(FieldName.LIMIT, "Limits: " + OTHERS + "memory: " + SIZE)
            .bytes(ASKED, "Requests: " + OTHERS + "memory: " + SIZE)
            .words(EXIT, "Exit Code: ([0-9]{1,3})"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 87204Ki."
            + " Container train was using 118423652Ki, request is 64Gi, has larger consumption of"
            + " memory.",
        "Last State: Terminated\n  Reason: OOMKilled\n  Exit Code: 137");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  /** Why a pod was evicted says more than how its container ended. */
  @Override
  public int rank(LogMessage message) {
    return message.kind() == EVICTED ? -1 : 0;
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Optional<Facts> together = HostFailures.together(message, failure);
    if (together.isEmpty()) {
      return conclusion.build(); // Its messages are read together.
    }
    if (message.kind() == EVICTED) {
      evicted(together.get(), conclusion);
    } else if (failure.stream().noneMatch(each -> each.kind() == EVICTED)) {
      killed(together.get(), failure, conclusion);
    }
    return conclusion.build();
  }

  private static void killed(Facts facts, List<LogMessage> failure, Conclusion.Builder conclusion) {
    boolean isSaid =
        facts.written(REASON).isPresent()
            || failure.stream().anyMatch(each -> each.kind() != CONTAINER);
    if (!isSaid) {
      conclusion
          .headline(
              "A container was killed (exit code 137, the signal SIGKILL), probably for lack of the"
                  + " host’s memory, not the GPU’s.")
          .likely(
              "Who sent the signal is not in the text. The usual sender is the kernel, for a"
                  + " container that exceeds its limit of memory; then the reason is OOMKilled."
                  + " Others are a stop that took too long, and an eviction.")
          .next(LinuxKernel.KERNEL_LOG);
      return;
    }
    conclusion
        .headline(
            facts.written(REASON).filter(reason -> reason.equals("OOMKilling")).isPresent()
                ? "The kernel killed a process because a limit of memory, or the host’s memory, was"
                    + " used up (OOMKilling): RAM, not the GPU’s."
                : "A container was killed (OOMKilled) because it exceeded its limit of the host’s"
                    + " memory, not that of the GPU.")
        .certain(
            (facts.written(REASON).filter(reason -> reason.equals("OOMKilling")).isPresent()
                    ? "Such an event is about a container’s limit or the whole node"
                    : "The limit is that of the container (its memory cgroup)"
                        + facts
                            .quantity(FieldName.LIMIT)
                            .map(limit -> ": " + text(limit))
                            .orElse(""))
                + ". Settings of a GPU allocator do not change it.")
        .remedy(
            "Raise the container’s memory limit (limits.memory), or let the program hold less:"
                + " fewer workers of the data loader, no copy of the data set in each.",
            "resources.limits.memory: …"
                + facts
                    .quantity(FieldName.LIMIT)
                    .map(limit -> "  # more than " + text(limit))
                    .orElse(""))
        .next(LinuxKernel.KERNEL_LOG);
  }

  private static void evicted(Facts facts, Conclusion.Builder conclusion) {
    Optional<Quantity> used = facts.quantity(FieldName.USED);
    Optional<Quantity> asked = facts.quantity(ASKED);
    conclusion
        .headline(
            "The kubelet evicted the pod because its node ran low on memory: RAM of the host, not"
                + " the GPU’s.")
        .certain(
            facts.quantity(AVAILABLE).map(Amounts::text).orElse("Too little")
                + " of the node’s memory were available"
                + facts
                    .quantity(THRESHOLD)
                    .map(least -> ", less than the threshold of " + text(least))
                    .orElse("")
                + ". An eviction is the kubelet’s, before the kernel has to kill a process; no"
                + " limit of the container was exceeded, and settings of a GPU allocator do not"
                + " change it.");
    used.ifPresent(
        bytes ->
            conclusion.certain(
                facts.written(CONTAINER_NAME).map("Container "::concat).orElse("The container")
                    + " was using "
                    + text(bytes)
                    + asked
                        .map(
                            request ->
                                Amounts.isSurelyMore(bytes, request)
                                    ? ", more than the "
                                        + text(request)
                                        + " that it requests: such pods are evicted first"
                                    : ", no more than the "
                                        + text(request)
                                        + " that it requests: others used up the node, or it gives"
                                        + " less than it promises")
                        .orElse("")
                    + "."));
    boolean isWithinRequest =
        used.isPresent() && asked.isPresent() && !Amounts.isSurelyMore(used.get(), asked.get());
    if (isWithinRequest) {
      conclusion
          .remedy(
              "Look for what else used the node, and give it requests and limits.",
              "kubectl top pods -A --sort-by=memory")
          .unknown("Who used up the node.");
      return;
    }
    conclusion
        .remedy(
            "Request what the pod needs, so that it is placed on a node that has it, and set a"
                + " limit, so that it cannot take what others need.",
            "resources: {requests: {memory: …}, limits: {memory: …}}"
                + used.map(bytes -> "  # it was using " + text(bytes)).orElse(""))
        .remedy(
            "Or let the program hold less on the host: fewer workers of the data loader, no copy of"
                + " the data set in each, nothing that grows.",
            "DataLoader(…, num_workers=2, prefetch_factor=2)")
        .unknown("What in the program grew, and who else used the node.");
  }
}
