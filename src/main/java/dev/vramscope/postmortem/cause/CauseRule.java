package dev.vramscope.postmortem.cause;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rule from the counterfactuals, the free bytes and the steps before a failure to its causes.
 * {@code docs/verdicts.md} has the reasons for each step and for the thresholds.
 */
public final class CauseRule {
  /**
   * From this share of live memory on, the free pieces are too small to matter: joining them would
   * not help for long.
   */
  static final double NEARLY_FULL = 0.945;

  /** From this share of live memory and the request together on, little is left for the rest. */
  private static final double NEARLY_FULL_WITH_REQUEST = 0.98;

  /** Leaks and spikes come before the pieces if packing would leave less than a tenth free. */
  private static final double FULL_WITH_REQUEST = 0.9;

  /** Few free bytes of one place matter less than so many times more of another. */
  private static final int MANY_TIMES = 10;

  /** Memory outside the allocator is a cause from this share of the device on. */
  public static final double LARGE_OUTSIDE = 0.05;

  /** What chunks have beyond their requests contributes from this share of the pool on. */
  private static final double LARGE_WASTE = 0.05;

  /** A leak has grown by at least this share of the live memory. */
  private static final double LEAST_GROWTH = 0.02;

  /** A leak comes before the pieces from this share of the live memory on. */
  private static final double LARGE_GROWTH = 0.1;

  private final RequestState state;
  private final Request request;
  private final FreeBytes free;
  private final DeviceAtRequest device;
  private final Counterfactuals counterfactuals;
  private final StepHistory steps;

  CauseRule(RequestState state, Counterfactuals counterfactuals) {
    this.state = state;
    request = state.request();
    free = state.free();
    device = state.device();
    this.counterfactuals = counterfactuals;
    steps = state.before().steps();
  }

  /** The causes, the most important first; never empty. */
  List<Cause> causes() {
    boolean isLimitOnly = counterfactuals.isYes(Name.WITHOUT_LIMIT);
    List<Cause> causes = new ArrayList<>();
    if (exceedsDevice()) {
      causes.add(Cause.REQUEST_EXCEEDS_DEVICE);
      addGrowth(causes);
      return causes;
    }
    if (exceedsLimit()) {
      causes.add(
          request.family() == AllocatorFamily.BFC ? Cause.REQUEST_EXCEEDS_POOL : Cause.LIMIT);
      return causes;
    }
    // BFC always has a limit, the size of its pool; pieces inside the pool come first.
    if (isLimitOnly && request.family() == AllocatorFamily.CACHING) {
      causes.add(Cause.LIMIT);
      if (isPackedEnough() && !isNearlyFull()) {
        causes.addAll(pieces());
      } else {
        addGrowth(causes);
      }
      return causes;
    }
    if (isLimitOnly && (!isPackedEnough() || isNearlyFull())) {
      if (isLeakLargerThan(device.freeBytes().orElse(Long.MAX_VALUE))) {
        causes.add(Cause.LEAK);
        causes.add(Cause.LIMIT);
      } else {
        causes.add(Cause.LIMIT);
        addGrowth(causes);
      }
      return causes;
    }
    if (isCacheKeptByCapture()) {
      causes.add(Cause.CAPTURE_KEEPS_CACHE);
      pieces().stream().filter(cause -> cause != Cause.FRAGMENTATION).forEach(causes::add);
      return causes;
    }
    if (!isPackedEnough()
        || isNearlyFull()
        || state.notLiveBytes() == 0
        || isDumpFullBesidesWaste()) {
      return tooMuchLive();
    }
    boolean isLargeLeak = isKeptLeak(LARGE_GROWTH);
    if ((isFullWithRequest() && (steps.isSpike() || isLargeLeak))
        || (isLargeLeak && isSoonFull())) {
      addGrowth(causes);
    }
    causes.addAll(pieces());
    if (isLargeLeak && !causes.contains(Cause.LEAK)) {
      causes.add(Cause.LEAK);
    }
    if (isLimitOnly) {
      causes.add(Cause.LIMIT);
    }
    if (isOutsideEnough()) {
      causes.add(Cause.OUTSIDE_ALLOCATOR);
    }
    return causes;
  }

  /** Live memory is what fills the device. */
  private List<Cause> tooMuchLive() {
    List<Cause> causes = new ArrayList<>();
    if (isOutsideEnough() && isLeakLargerThan(device.othersBytes().orElse(0))) {
      causes.add(Cause.LEAK);
      causes.add(Cause.OUTSIDE_ALLOCATOR);
      return causes;
    }
    if (isOutsideEnough()) {
      causes.add(Cause.OUTSIDE_ALLOCATOR);
    }
    addGrowth(causes);
    if (!causes.contains(Cause.OUTSIDE_ALLOCATOR)) {
      causes.add(Cause.TOO_MUCH_LIVE);
      if (isOutsideLarge(2 * LARGE_OUTSIDE)) {
        causes.add(Cause.OUTSIDE_ALLOCATOR);
      }
    }
    // Blocks that each step replaces by larger ones are in use: a growing load rather than a leak.
    if (!causes.contains(Cause.LEAK) && !causes.contains(Cause.SPIKE) && isLeak(LEAST_GROWTH)) {
      causes.add(Cause.LEAK);
    }
    if (state.unsplitBytes() > 0
        && state.unsplitBytes() >= LARGE_WASTE * state.device().reservedBytes()) {
      causes.add(Cause.CHUNK_WASTE);
    }
    return causes;
  }

  private void addGrowth(List<Cause> causes) {
    if (isKeptLeak(LEAST_GROWTH)) {
      causes.add(Cause.LEAK);
    } else if (steps.isSpike()) {
      causes.add(Cause.SPIKE);
    }
  }

  /** Whether live memory grew by more than something else keeps from the allocator. */
  private boolean isLeakLargerThan(long bytes) {
    return isKeptLeak(LARGE_GROWTH) && steps.growth().grownBytes() >= bytes;
  }

  /** Whether live memory grew by blocks that were kept. */
  private boolean isKeptLeak(double leastShare) {
    return steps.isKept() && isLeak(leastShare);
  }

  /**
   * Whether the request would have been served if live memory had not grown.
   *
   * @param leastShare the least growth, as a share of the live memory
   */
  private boolean isLeak(double leastShare) {
    long missingBytes = request.roundedBytes() - state.notLiveBytes() - usableDeviceBytes();
    return steps.isLeak(Math.max(missingBytes, Math.round(leastShare * state.liveBytes())));
  }

  private boolean exceedsDevice() {
    return request.isRecorded()
        && state.neededBytes() > device.leastTotalBytes()
        && device.freeBytes().isPresent();
  }

  private boolean exceedsLimit() {
    return device.limitBytes().isPresent()
        && request.roundedBytes() > device.limitBytes().getAsLong();
  }

  /**
   * Whether the cache could have been released, and that would have been enough: PyTorch does so
   * before a request fails, unless a capture is under way.
   */
  boolean isCacheKeptByCapture() {
    return request.family() == AllocatorFamily.CACHING
        && state.isCacheKept()
        && counterfactuals.isYes(Name.CACHE_EMPTIED);
  }

  /** Whether the request would have fitted beside the live memory, had all been packed. */
  boolean isPackedEnough() {
    return counterfactuals.isYes(Name.PERFECTLY_PACKED)
        || (state.unsplitBytes() > 0 && isEnough(state.notLiveBytes()));
  }

  /**
   * Whether, in a dump, only what chunks have beyond their requests would have been enough, and
   * little would then be left. Whether memory grows is not in a dump, and it soon would be full.
   */
  private boolean isDumpFullBesidesWaste() {
    return request.family() == AllocatorFamily.BFC
        && state.before().start().isDump()
        && !counterfactuals.isYes(Name.PERFECTLY_PACKED)
        && isFullWithRequest();
  }

  /** Live bytes as a share of all that the allocator holds or could acquire. */
  double liveShare() {
    long capacity = device.reservedBytes() + usableDeviceBytes();
    return capacity == 0 ? 0 : (double) state.liveBytes() / capacity;
  }

  boolean isNearlyFull() {
    return liveShare() >= NEARLY_FULL
        || (isFullWithRequest(NEARLY_FULL_WITH_REQUEST) && isRestUnknown());
  }

  /** Whether a leak or a spike would come before the pieces. */
  boolean isFullWithRequest() {
    return isFullWithRequest(FULL_WITH_REQUEST);
  }

  /** Whether the step is larger than those before it, so that what it still needs is not known. */
  private boolean isRestUnknown() {
    return steps.steps().source().isOfCode() && steps.isLarger();
  }

  private boolean isFullWithRequest(double share) {
    long capacity = device.reservedBytes() + usableDeviceBytes();
    return state.liveBytes() + request.roundedBytes() >= share * capacity;
  }

  /**
   * Whether a step like those before it failed, and the growth, if nothing stopped it, would fill
   * packed memory within as many steps as have passed.
   */
  private boolean isSoonFull() {
    return steps.steps().source().isOfCode()
        && steps.isUsual()
        && steps.stepsUntil(device.reservedBytes() + usableDeviceBytes()) <= steps.stepCount();
  }

  /** What the allocator could still acquire. */
  long usableDeviceBytes() {
    return Math.min(device.freeBytes().orElse(0), Math.max(0, state.mostUnderLimit()));
  }

  private boolean isOutsideEnough() {
    return counterfactuals.isYes(Name.WITHOUT_OTHERS) && isOutsideLarge(LARGE_OUTSIDE);
  }

  private boolean isOutsideLarge(double share) {
    return device.othersBytes().isPresent()
        && device.totalBytes().isPresent()
        && device.othersBytes().getAsLong() >= share * device.totalBytes().getAsLong();
  }

  /** A place of free bytes that the request could not use. */
  private record Place(Cause cause, long bytes) {}

  /**
   * Where the free bytes are: the first place that is enough by itself, unless another one has many
   * times more; or, if none is enough, all that are needed together, the largest first.
   */
  private List<Cause> pieces() {
    List<Place> places =
        List.of(
            new Place(Cause.FRAGMENTATION, free.usable()),
            new Place(Cause.CHUNK_WASTE, state.unsplitBytes()),
            new Place(Cause.OTHER_STREAM, free.otherStream()),
            new Place(Cause.OTHER_POOL, free.otherKind() + free.otherPool()),
            new Place(Cause.PENDING_FREES, free.pendingFree()));
    for (Place place : places) {
      if (place.bytes() > 0 && isEnough(place.bytes())) {
        return places.stream()
            .filter(other -> other.bytes() >= MANY_TIMES * place.bytes())
            .max(Comparator.comparingLong(Place::bytes))
            .map(larger -> List.of(larger.cause(), place.cause()))
            .orElse(List.of(place.cause()));
      }
    }
    List<Cause> needed = new ArrayList<>();
    long bytes = 0;
    for (Place place :
        places.stream().sorted(Comparator.comparingLong(place -> -place.bytes())).toList()) {
      if (place.bytes() > 0 && !isEnough(bytes)) {
        needed.add(place.cause());
        bytes += place.bytes();
      }
    }
    return needed;
  }

  private boolean isEnough(long bytes) {
    return bytes + usableDeviceBytes() >= request.roundedBytes();
  }
}
