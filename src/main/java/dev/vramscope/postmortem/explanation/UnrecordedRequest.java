package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.postmortem.explanation.Target.Section.Name;
import java.util.List;

/**
 * The first screen of a dump without the request that failed: that one did, what the pool was like
 * then, and where the request is.
 *
 * @param whatHappened the state of the pool
 * @param whatHolds the operations that held most of it
 * @param nextStep where the size of the request is
 */
public record UnrecordedRequest(Sentence whatHappened, Sentence whatHolds, Sentence nextStep) {
  private static final int SITES = 3;

  /** The explanation of a dump for which {@link DeviceSnapshot#isFailedRequestUnknown} holds. */
  public static UnrecordedRequest of(
      DeviceSnapshot device, Lifetimes lifetimes, StackClasses stacks) {
    HeldSites held = HeldSites.at(lifetimes, stacks, Lifetimes.BEFORE_RECORDING, SITES);
    return new UnrecordedRequest(
        whatHappened(device),
        new HoldersSentence(held, new CodeLines(stacks), device.facts(), held.bytes(), 0)
            .at("At that moment"),
        Sentence.of("The log of the program has the request, in the line ")
            .code("ran out of memory trying to allocate")
            .words(
                ", and whether the program went on without it. The page of the failed request tests"
                    + " whether one of that size would fit into this state.")
            .build());
  }

  private static Sentence whatHappened(DeviceSnapshot device) {
    List<Block> blocks =
        device.segments().stream().flatMap(segment -> segment.blocks().stream()).toList();
    List<Block> used = blocks.stream().filter(Block::isActive).toList();
    List<Block> free = blocks.stream().filter(each -> !each.isActive()).toList();
    Sentence.Builder text =
        Sentence.of(
                "A request failed: the allocator writes such a dump only when it cannot serve one."
                    + " Which request it was, and how large, is not in the file. ")
            .bytes(bytes(used), Name.LEDGER)
            .words(" was in use");
    if (used.stream().noneMatch(each -> each.requestedBytes() == Block.UNKNOWN)) {
      text.words(", of which the program had requested ")
          .bytes(used.stream().mapToLong(Block::requestedBytes).sum(), Name.LEDGER);
    }
    text.words("; ").bytes(bytes(free), Name.LEDGER).words(" was free in the pool");
    if (!free.isEmpty()) {
      text.words(free.size() == 1 ? " as " : " in ")
          .counted(free.size(), "piece")
          .words(free.size() == 1 ? " of " : ", the largest of ")
          .bytes(free.stream().mapToLong(Block::bytes).max().orElseThrow());
    }
    device
        .facts()
        .limitBytes()
        .ifPresentOrElse(
            limit -> text.words("; the limit of the pool is ").bytes(limit, Name.LEDGER).words("."),
            () -> text.words(". The limit of the pool is not in the file either."));
    return text.build();
  }

  private static long bytes(List<Block> blocks) {
    return blocks.stream().mapToLong(Block::bytes).sum();
  }
}
