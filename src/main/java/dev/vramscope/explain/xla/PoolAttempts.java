package dev.vramscope.explain.xla;

import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import java.util.Comparator;
import java.util.List;

/**
 * What follows from requests of a growing pool that the driver refused, one after the other: each
 * is a tenth smaller than the one before, so that they are one attempt, not many failures.
 */
final class PoolAttempts {
  private PoolAttempts() {}

  static Conclusion of(LogMessage message, List<LogMessage> failure) {
    List<Quantity> sizes =
        failure.stream()
            .filter(each -> each.kind() == Xla.XLA_OOM)
            .flatMap(each -> each.quantity(FieldName.REQUESTED).stream())
            .sorted(Comparator.comparingLong(Quantity::bytes))
            .distinct()
            .toList();
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    boolean isFirst =
        failure.stream()
            .filter(each -> each.kind() == Xla.XLA_OOM)
            .findFirst()
            .filter(message::equals)
            .isPresent();
    if (!isFirst) {
      return conclusion.build(); // They are read together.
    }
    conclusion
        .headline(
            "The pool of XLA’s allocator could not grow: the driver refused "
                + sizes.size()
                + " sizes, from "
                + text(sizes.getLast())
                + " down to "
                + text(sizes.getFirst())
                + ".")
        .certain(
            "The driver refused "
                + sizes.size()
                + " requests of the pool, from "
                + text(sizes.getLast())
                + " down to "
                + text(sizes.getFirst())
                + ". A pool that grows asks for a tenth less each time: they are attempts for one"
                + " request, not failures of their own.")
        .next(CollectionAdvice.PROCESSES);
    if (failure.stream().allMatch(each -> each.kind() == Xla.XLA_OOM)) {
      conclusion
          .likely(
              "Another program holds the device’s memory, such as a notebook or an earlier run: the"
                  + " pool plans with what is free when it starts.")
          .unknown(
              "Whether the program got on with a smaller pool: a failed request of the allocator"
                  + " itself is not in the text.")
          .remedy(
              new Advice(
                  "Stop the other programs on the device, or use another one.", "nvidia-smi"));
    }
    return conclusion.build();
  }
}
