package dev.vramscope.postmortem.cause;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.List;
import java.util.Locale;

/** The numbers that show the causes of a failure, as sentences. */
final class VerdictText {
  private final RequestState state;
  private final Request request;
  private final FreeBytes free;
  private final DeviceAtRequest device;
  private final StepHistory steps;
  private final CauseRule rule;
  private final boolean isPast;

  /** The verbs of what is so now, or was so at a recorded failure. */
  private final String is;

  private final String has;

  VerdictText(RequestState state, CauseRule rule) {
    this.state = state;
    this.rule = rule;
    request = state.request();
    free = state.free();
    device = state.device();
    steps = state.before().steps();
    isPast = request.isRecorded();
    is = isPast ? " was" : " is";
    has = isPast ? " had" : " has";
  }

  /**
   * The request, the numbers of its causes in their order, and the state of the device; without the
   * last full stop.
   */
  String of(List<Cause> causes) {
    StringBuilder text =
        new StringBuilder(subject()).append(isPast ? " failed. " : " would fail. ");
    for (Cause cause : causes) {
      // The numbers of a leak or a spike say how much is live, too.
      if (cause != Cause.TOO_MUCH_LIVE || causes.getFirst() == cause) {
        text.append(CauseEvidence.of(cause).numbers().apply(this)).append(' ');
      }
    }
    return text.append(state(causes.contains(Cause.FRAGMENTATION))).toString();
  }

  /** The state alone; the cause is unknown. */
  String ofUnknown(UndecidedOutcome outcome) {
    return subject() + " " + outcome.label() + ". " + state(false);
  }

  private String subject() {
    return request.family() == AllocatorFamily.CACHING
        ? state.subjectWithStream()
        : state.subject();
  }

  String tooMuchLive() {
    return live()
        + (state.notLiveBytes() == 0
            ? "."
            : rule.isNearlyFull()
                ? ", and the rest is in pieces too small for it."
                : "; even in one piece, the rest would be too small.");
  }

  String leak() {
    return live()
        + ", and over "
        + steps.stepCount()
        + " steps"
        + steps.guess()
        + " it has grown by "
        + ByteText.of(steps.growth().grownBytes())
        + ", about "
        + ByteText.of(Math.round(steps.growth().bytesPerStep()))
        + " in each.";
  }

  String spike() {
    return "This step needs at least "
        + ByteText.of(steps.failingPeakBytes())
        + "; the "
        + steps.stepCount()
        + " steps before it"
        + steps.guess()
        + " needed at most "
        + ByteText.of(steps.largestPeakBytes())
        + ".";
  }

  String otherStream() {
    return ByteText.of(free.otherStream())
        + is
        + " free on other streams, in blocks of at most "
        + ByteText.of(state.largestFree(Rejection.OtherStream.class))
        + ".";
  }

  String otherPool() {
    return ByteText.of(free.otherKind() + free.otherPool())
        + is
        + " free in other pools, in blocks of at most "
        + ByteText.of(
            Math.max(
                state.largestFree(Rejection.OtherKind.class),
                state.largestFree(Rejection.OtherPool.class)))
        + ".";
  }

  String pendingFrees() {
    return ByteText.of(free.pendingFree())
        + is
        + " freed by the program but still waiting for a stream.";
  }

  String cacheKeptByCapture() {
    return "The allocator did not release "
        + ByteText.of(state.defaultReleasableBytes())
        + " of free cached memory, which it never does during a graph capture.";
  }

  String oversizeRule() {
    return "The free blocks that are large enough"
        + (isPast ? " were" : " are")
        + " kept for larger requests by max_split_size; the largest"
        + is
        + " "
        + ByteText.of(free.largestUsable())
        + ".";
  }

  String chunkWaste() {
    return ByteText.of(state.unsplitBytes())
        + is
        + " in chunks in use beyond what was requested: the allocator splits a chunk only if half"
        + " of it or 128 MiB would remain.";
  }

  String exceedsPool() {
    return "The pool may have at most "
        + ByteText.of(device.limitBytes().orElse(0))
        + ", whatever else"
        + is
        + " in use.";
  }

  String limit() {
    if (request.family() == AllocatorFamily.BFC) {
      return "The pool may not grow beyond its limit.";
    }
    return device.limitBytes().isPresent()
        ? "The allocator may hold "
            + ByteText.of(device.limitBytes().getAsLong())
            + " and "
            + (isPast ? "held " : "holds ")
            + ByteText.of(device.reservedBytes())
            + "."
        : "The device had room, so a limit refused the request.";
  }

  String exceedsDevice() {
    return device.totalBytes().isPresent()
        ? neededInPages()
            + "The device has only "
            + ByteText.of(device.totalBytes().getAsLong())
            + "."
        : "The allocator held and the device had free only "
            + ByteText.of(device.leastTotalBytes())
            + " together.";
  }

  /** Why a request that is smaller than the device needs more than it has. */
  private String neededInPages() {
    return state.neededBytes() > device.totalBytes().orElse(0)
            && request.roundedBytes() <= device.totalBytes().orElse(0)
        ? "It needs " + ByteText.of(state.neededBytes()) + " in whole pages or segments. "
        : "";
  }

  private String live() {
    return ByteText.of(state.liveBytes())
        + (device.freeBytes().isPresent()
            ? is
                + " live, "
                + String.format(Locale.ROOT, "%.1f %%", 100 * rule.liveShare())
                + " of what the allocator "
                + (isPast ? "could" : "can")
                + " have"
            : is + " live");
  }

  String outside() {
    String together =
        ByteText.of(device.othersBytes().orElse(0))
            + " of the device"
            + is
            + " used outside this allocator";
    return OutsideHolders.of(state.ledger())
        .map(who -> together + ": " + who.text() + ".")
        .orElse(together + "; a snapshot does not show by what.");
  }

  String pieces() {
    if (request.family() == AllocatorFamily.BFC) {
      return "The free memory" + is + " in pieces.";
    }
    return ByteText.of(free.cached())
        + is
        + " free in the cache, "
        + (free.usable() == free.cached() ? "all" : ByteText.of(free.usable()))
        + " of it in the pool and on the stream of this request, but the largest block there"
        + is
        + " "
        + ByteText.of(free.largestUsable())
        + ".";
  }

  /** What was free, unless the pieces have been described, and what emptying the cache did. */
  private String state(boolean isCacheDescribed) {
    StringBuilder text = new StringBuilder();
    switch (request.family()) {
      case CACHING -> {
        if (!isCacheDescribed || device.freeBytes().isEmpty()) {
          text.append(ByteText.of(free.cached())).append(is).append(" free in the cache");
        }
      }
      case BFC ->
          text.append(ByteText.of(free.usable()))
              .append(is)
              .append(" free in chunks, the largest of ")
              .append(ByteText.of(free.largestUsable()))
              .append("; the pool")
              .append(has)
              .append(" ")
              .append(ByteText.of(device.reservedBytes()))
              .append(
                  device.limitBytes().isPresent()
                      ? " of its limit of " + ByteText.of(device.limitBytes().getAsLong())
                      : "");
      case UNRECORDED -> {
        text.append(ByteText.of(state.liveBytes())).append(is).append(" live. ");
        if (state.ledger().isReservedKnown()) {
          text.append("The allocator held ")
              .append(ByteText.of(state.ledger().reservedBytes()))
              .append(" in all; in which pieces the rest was free is not in the file");
        } else {
          text.append("What the allocator held besides is not in the file");
        }
      }
      case DIRECT -> {
        text.append("Every block is an allocation of the driver; nothing is cached");
        long rounding = device.driverRoundingBytes();
        if (rounding > 0) {
          text.append(", and the driver rounds each up, by ")
              .append(state.facts().isSimulated() ? "" : "at most ")
              .append(ByteText.of(rounding))
              .append(" in all");
        }
      }
    }
    if (device.freeBytes().isPresent()) {
      text.append(text.isEmpty() ? "The" : "; the")
          .append(" device")
          .append(has)
          .append(" ")
          .append(ByteText.of(device.freeBytes().getAsLong()))
          .append(" free");
    }
    if (request.family() == AllocatorFamily.CACHING) {
      text.append(emptied());
    }
    return text.toString();
  }

  private String emptied() {
    long releasable = state.defaultReleasableBytes();
    if (!isPast) {
      return releasable == 0
          ? "; no cached segment is completely free, so emptying the cache would release nothing"
          : "; emptying the cache would release " + ByteText.of(releasable);
    }
    if (state.before().releasedBytes() > 0) {
      return "; the allocator had released "
          + ByteText.of(state.before().releasedBytes())
          + " of cached memory just before, which was not enough";
    }
    if (releasable == 0 && request.pool().isPrivate()) {
      return "";
    }
    return releasable == 0
        ? "; no cached segment was completely free, so emptying the cache released nothing"
        : "; " + ByteText.of(releasable) + " of the cache was not released";
  }
}
