package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Certainty;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.Counterfactuals;
import dev.vramscope.postmortem.cause.FreeBytes;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.Verdict;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.StackFrames;
import dev.vramscope.whatif.pool.PoolTrials;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post-mortem as the page shows it; {@link OomView} is the one of the REST API.
 *
 * @param free the bytes of free blocks, by the reason why they were not used
 * @param releasableBytes what emptying the cache would have released
 * @param frees what could have been freed
 * @param frames the stack of the request
 * @param deviceFree free bytes of the device; null if unknown
 * @param deviceFreeUnknown why they are unknown; empty if they are known
 * @param poolTrials what another pool of a BFC allocator would have done; empty for others
 * @param freeBlocks the free blocks of this part of the list, closest fit first
 */
record PostMortemView(
    Request request,
    Verdict verdict,
    Counterfactuals counterfactuals,
    FreeBytes free,
    long releasableBytes,
    FreesView frees,
    StackFrames frames,
    @Nullable Long deviceFree,
    String deviceFreeUnknown,
    List<PoolTrials.Row> poolTrials,
    Slice<FreeBlock> freeBlocks) {
  private static final int SHOWN_BLOCKS = 12;
  private static final int STACK_CHARACTERS = 150_000;

  /** A free block and the reason why it was not used. */
  record FreeBlock(Candidate candidate, String reason) {
    static FreeBlock of(Candidate candidate) {
      return new FreeBlock(candidate, OomView.reason(candidate.rejection()));
    }
  }

  /**
   * The view of a report.
   *
   * @param offset the first free block to show
   */
  static PostMortemView of(OomReport report, DeviceInspection device, int offset) {
    Amount deviceFree = report.ledger().amount(Ledger.Item.DEVICE_FREE);
    return new PostMortemView(
        report.request(),
        report.verdict(),
        report.counterfactuals(),
        report.free(),
        report.releasableBytes(),
        FreesView.of(device, report),
        StackFrames.of(
            device.stacks(), report.request().stack(), 0, new TextBudget(STACK_CHARACTERS)),
        deviceFree instanceof Amount.Known(long bytes) ? bytes : null,
        switch (deviceFree) {
          case Amount.Known _ -> "";
          case Amount.AtLeast(long _, String reason) -> reason;
          case Amount.Unknown(String reason) -> reason;
        },
        report.pool().map(PoolTrials::rows).orElse(List.of()),
        Slice.of(report.candidates(), offset, SHOWN_BLOCKS).map(FreeBlock::of));
  }

  /** Whether the request is one that a reader asks about, not one of the recording. */
  public boolean isHypothetical() {
    return !request.isRecorded();
  }

  /** CSS classes of the verdict. */
  public String css() {
    if (!verdict.cause().isFailure()) {
      return "verdict fits";
    }
    return verdict.certainty() == Certainty.UNDECIDED
        ? "verdict undecided"
        : request.isRecorded() ? "verdict detail" : "verdict";
  }
}
