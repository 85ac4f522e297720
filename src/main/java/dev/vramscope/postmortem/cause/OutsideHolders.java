package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.model.ByteText;
import java.util.Optional;

/**
 * Who holds the memory outside an allocator, where a text or the driver tells it. The remedies
 * differ: other programs can be ended, the libraries of this one cannot.
 *
 * @param thisProcessBytes the CUDA context and libraries of this process
 * @param otherBytes other processes
 */
public record OutsideHolders(long thisProcessBytes, long otherBytes) {
  /** Empty if the ledger does not tell them apart. */
  public static Optional<OutsideHolders> of(Ledger ledger) {
    return ledger.amount(Item.OUTSIDE_ALLOCATOR) instanceof Amount.Known(long own)
            && ledger.amount(Item.OTHER_PROCESSES) instanceof Amount.Known(long others)
            && own + others > 0
        ? Optional.of(new OutsideHolders(own, others))
        : Optional.empty();
  }

  /** "12 GiB by other processes, 512 MiB by this process (the CUDA context, libraries)". */
  String text() {
    return ByteText.of(otherBytes)
        + " by other processes, "
        + ByteText.of(thisProcessBytes)
        + " by this process (the CUDA context, libraries)";
  }
}
