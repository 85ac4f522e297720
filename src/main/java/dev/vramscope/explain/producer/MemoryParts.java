package dev.vramscope.explain.producer;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The parts of the memory beside its size: what is missing becomes a part of its own, and more than
 * there is becomes a statement.
 *
 * @param shares add up to the total, unless that is unknown or they contradict it
 * @param contradiction empty unless they are more than the total, whatever was rounded
 */
record MemoryParts(List<Share> shares, Optional<Statement> contradiction) {
  static MemoryParts of(List<Share> shares, Optional<Quantity> total) {
    if (shares.isEmpty() || total.isEmpty()) {
      return new MemoryParts(shares, Optional.empty());
    }
    Quantity sum = shares.stream().map(Share::quantity).reduce(Quantity::plus).orElseThrow();
    if (Amounts.isSurelyMore(sum, total.get())) {
      return new MemoryParts(
          shares,
          Optional.of(
              new Statement(
                  Certainty.CERTAIN,
                  "The parts below add up to "
                      + ByteText.of(sum.bytes())
                      + ", more than the total of "
                      + ByteText.of(total.get().bytes())
                      + ": the numbers do not describe one memory at one moment.")));
    }
    if (!Amounts.isSurelyMore(total.get(), sum)) {
      return new MemoryParts(shares, Optional.empty());
    }
    List<Share> all = new ArrayList<>(shares);
    all.add(new Share(Share.Kind.UNKNOWN, "Not in the text", Amounts.difference(total.get(), sum)));
    return new MemoryParts(all, Optional.empty());
  }
}
