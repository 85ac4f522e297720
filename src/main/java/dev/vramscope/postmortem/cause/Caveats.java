package dev.vramscope.postmortem.cause;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a conclusion about a failure is not certain: what the recording leaves open, as sentences.
 */
final class Caveats {
  /** Below {@link CauseRule#NEARLY_FULL} by less than this, the rule could go either way. */
  private static final double BORDER = 0.01;

  /** From this share of live memory on, what was before the recording could be a leak. */
  private static final double LARGE_UNSEEN = 0.25;

  private final RequestState state;
  private final Request request;
  private final DeviceAtRequest device;
  private final CauseRule rule;

  Caveats(RequestState state, CauseRule rule) {
    this.state = state;
    this.rule = rule;
    request = state.request();
    device = state.device();
  }

  /** Reasons why the numbers could be wrong. */
  List<String> ofTheNumbers() {
    List<String> caveats = new ArrayList<>(state.doubts());
    state
        .facts()
        .pool()
        .map(PoolRecord::doubt)
        .filter(doubt -> !doubt.isEmpty())
        .ifPresent(caveats::add);
    state.state().findings().forEach(finding -> caveats.add(finding.message()));
    if (state.before().start().isContradictory()) {
      caveats.add("The segment events contradict the segments of the final state.");
    }
    if (request.family() != AllocatorFamily.CACHING) {
      return caveats;
    }
    long ambiguous = state.state().ambiguousBytes();
    boolean dependsOnEstimate =
        state.free().usable() >= request.roundedBytes()
            && state.free().usable() - ambiguous < request.roundedBytes();
    if (dependsOnEstimate) {
      caveats.add(
          "Block sizes are computed from requested sizes; up to "
              + ByteText.of(ambiguous)
              + " of the free bytes may belong to live blocks.");
    }
    if (!request.isPoolKnown() && state.state().segments().stream().anyMatch(Caveats::isPrivate)) {
      caveats.add(
          "There are private pools, and the trace does not contain the pool of the request.");
    }
    if (!state.sizes().isRecorded()) {
      caveats.add("The allocator's settings were not recorded; the defaults are assumed.");
    }
    return caveats;
  }

  private static boolean isPrivate(Segment segment) {
    return segment.pool().isPrivate();
  }

  void tooMuchLive(List<String> caveats) {
    addSizeCaveats(caveats);
    addGrowthCaveats(caveats);
  }

  void leak(List<String> caveats) {
    addSizeCaveats(caveats);
    caveats.add("A recording does not show whether the program means to keep this memory.");
  }

  void spike(List<String> caveats) {
    addSizeCaveats(caveats);
    caveats.add("The steps were found from the pattern of the recorded events.");
  }

  void exceedsDevice(List<String> caveats) {
    if (device.totalBytes().isEmpty()) {
      caveats.add(
          "The size of the device was not recorded. It is at least "
              + ByteText.of(device.leastTotalBytes())
              + ", which the allocator held or the device had free.");
    }
  }

  void limit(List<String> caveats) {
    if (!device.isLimited()) {
      caveats.add("A snapshot does not contain the memory limits of the allocator.");
    } else if (device.limitBytes().isEmpty()) {
      caveats.add(
          "The settings limit the allocator to a fraction of the device, whose size was not"
              + " recorded.");
    }
  }

  void cacheKeptByCapture(List<String> caveats) {
    if (!request.pool().isPrivate()) {
      caveats.add(
          state.refusesWithoutRetry()
              ? "With throw_on_cudamalloc_oom, the allocator may also refuse a request without"
                  + " emptying its cache."
              : "The request was not for the pool of a graph. A capture on another thread would"
                  + " explain why the cache was not emptied.");
    }
  }

  /** Adds what is unknown if free memory could not be used. */
  void pieces(List<String> caveats) {
    if (rule.liveShare() >= CauseRule.NEARLY_FULL - BORDER) {
      caveats.add(
          "Live memory nearly fills the device, so joining the pieces may not help for long.");
    }
    if (rule.isFullWithRequest()) {
      addGrowthCaveats(caveats);
    }
    if (!request.isPoolKnown()
        && request.family() == AllocatorFamily.CACHING
        && state.state().segments().stream().noneMatch(Caveats::isPrivate)) {
      caveats.add(
          "The trace does not contain the pool of the request, as before PyTorch 2.12. A"
              + " private pool without memory yet could not have used the free blocks.");
    }
    if (device.freeBytes().isEmpty()
        // The limit of BFC is its pool; that of PyTorch may be reached or not.
        && (device.limitBytes().isEmpty() || request.family() == AllocatorFamily.CACHING)
        && !state.facts().isRecorded()) {
      caveats.add(
          "The free memory of the device was not recorded, so a memory limit may have refused"
              + " the request.");
    }
    if (state.isCacheKept() && request.family() == AllocatorFamily.CACHING) {
      caveats.add(
          "PyTorch empties its cache before a request fails, yet "
              + ByteText.of(state.defaultReleasableBytes())
              + " remained that it could have released.");
    }
  }

  /** Why a leak or a spike could be unseen. */
  private void addGrowthCaveats(List<String> caveats) {
    RecordingStart start = state.before().start();
    if (!request.isRecorded()) {
      return;
    }
    if (start.isDump()) {
      caveats.add("A dump shows one moment, so whether memory grew from step to step is unknown.");
    } else if (start.liveBytes() > LARGE_UNSEEN * state.liveBytes()) {
      caveats.add(
          ByteText.of(start.liveBytes())
              + " of the live memory was allocated before the recording began, so whether it"
              + " grew step by step is unknown.");
    } else if (!state.before().steps().isConclusive() && !start.isWhole()) {
      caveats.add(
          "The recording began while the program was running and contains too few regular steps to"
              + " show whether memory grew step by step, or whether this step needed more than"
              + " others.");
    } else if (!state.before().steps().isConclusive() && !start.hasStacks()) {
      caveats.add(
          "Without stacks, no regular steps were recognized in the recording, so whether memory"
              + " grew step by step, or this step needed more than others, is unknown.");
    }
  }

  /** What a driver adds to the blocks of a direct allocator looks like memory of others. */
  private void addRoundingCaveat(List<String> caveats) {
    long rounding = device.driverRoundingBytes();
    if (rounding > 0
        && !state.facts().isSimulated()
        && rounding + device.freeBytes().orElse(0) >= state.neededBytes()) {
      caveats.add(
          "The driver rounds sizes up: "
              + ByteText.of(rounding)
              + " of the device is either that, or held by others.");
    }
  }

  private void addSizeCaveats(List<String> caveats) {
    if (state.before().start().isDump() && device.freeBytes().isEmpty()) {
      caveats.add(
          "The free memory of the device was not recorded, so whether a larger pool would have"
              + " been possible is unknown.");
      return;
    }
    if (device.freeBytes().isEmpty()) {
      caveats.add("The free memory of the device was not recorded.");
    }
    if (device.totalBytes().isEmpty()) {
      caveats.add(
          "The size of the device was not recorded, so memory that others hold is unknown.");
    } else if (device.freeBytes().isPresent() && device.othersBytes().isEmpty()) {
      caveats.add("Reserved and free memory add up to more than the size of the device.");
    }
    addRoundingCaveat(caveats);
    if (rule.isPackedEnough() && rule.liveShare() < CauseRule.NEARLY_FULL + BORDER) {
      caveats.add("The free pieces would be enough for this request if they were joined.");
    }
  }
}
