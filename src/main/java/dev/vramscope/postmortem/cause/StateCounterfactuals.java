package dev.vramscope.postmortem.cause;

import static dev.vramscope.postmortem.cause.Counterfactuals.Answer.NO;
import static dev.vramscope.postmortem.cause.Counterfactuals.Answer.NOT_APPLICABLE;
import static dev.vramscope.postmortem.cause.Counterfactuals.Answer.UNKNOWN;
import static dev.vramscope.postmortem.cause.Counterfactuals.Answer.YES;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.postmortem.cause.Counterfactuals.Answer;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.Counterfactuals.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Counterfactuals by arithmetic on the state at the request: everything else is as it was,
 * including where live and free blocks are. A replay of the whole run with the difference may place
 * blocks elsewhere.
 */
public final class StateCounterfactuals {
  private static final String NO_FREE =
      "The free memory of the device was not recorded, so this is unknown.";

  private static final String NO_SEGMENTS =
      "The file does not say what the allocator held, so this is unknown.";

  private final RequestState state;
  private final Request request;
  private final FreeBytes free;
  private final DeviceAtRequest device;
  private final long neededBytes;

  private StateCounterfactuals(RequestState state) {
    this.state = state;
    request = state.request();
    free = state.free();
    device = state.device();
    neededBytes = state.neededBytes();
  }

  public static Counterfactuals of(RequestState requestState) {
    StateCounterfactuals state = new StateCounterfactuals(requestState);
    if (requestState.request().family() == AllocatorFamily.UNRECORDED) {
      return new Counterfactuals(
          Arrays.stream(Name.values()).map(name -> unknown(name, NO_SEGMENTS)).toList());
    }
    List<Row> rows = new ArrayList<>();
    for (Name name : Name.values()) {
      rows.add(
          switch (name) {
            case PERFECTLY_PACKED -> state.perfectlyPacked();
            case WITHOUT_OTHERS -> state.withoutOthers();
            case WITHOUT_LIMIT -> state.withoutLimit();
            case ON_ONE_STREAM -> state.onOneStream();
            case ALL_POOLS -> state.allPools();
            case PENDING_FREES_DONE -> state.pendingFreesDone();
            case CACHE_EMPTIED -> state.cacheEmptied();
            case DOUBLE_TOTAL -> state.doubleTotal();
          });
    }
    return new Counterfactuals(rows);
  }

  private Row perfectlyPacked() {
    // What packing would also give of live chunks is another difference: the trials of the pool.
    long cached = free.cached() + free.pendingFree();
    if (request.roundedBytes() <= cached) {
      return row(
          Name.PERFECTLY_PACKED,
          YES,
          cached,
          ByteText.of(cached) + " is free inside the allocator, enough if it were in one piece.");
    }
    if (device.freeBytes().isEmpty()
        && device.limitBytes().isPresent()
        && request.roundedBytes() > cached + state.mostUnderLimit()) {
      return row(
          Name.PERFECTLY_PACKED,
          NO,
          cached,
          "Even in one piece, "
              + ByteText.of(cached)
              + " free inside the allocator and "
              + ByteText.of(state.mostUnderLimit())
              + " that its limit still allows are less than "
              + question()
              + ".");
    }
    if (device.freeBytes().isEmpty()) {
      return unknown(Name.PERFECTLY_PACKED, NO_FREE);
    }
    long deviceFree = device.freeBytes().getAsLong();
    long most = cached + Math.min(deviceFree, state.mostUnderLimit());
    boolean isLimitOpen = device.isLimited() && device.limitBytes().isEmpty();
    String sum =
        ByteText.of(cached)
            + " free inside the allocator and "
            + ByteText.of(Math.min(deviceFree, state.mostUnderLimit()))
            + (deviceFree > state.mostUnderLimit()
                ? " that its limit still allows"
                : " free on the device");
    if (request.roundedBytes() > most) {
      return row(
          Name.PERFECTLY_PACKED,
          NO,
          cached,
          "Even in one piece, " + sum + " are less than " + question() + ".");
    }
    return isLimitOpen
        ? unknown(
            Name.PERFECTLY_PACKED,
            "The allocator has a limit, but its bytes are unknown without the size of the device.")
        : row(Name.PERFECTLY_PACKED, YES, cached, sum + " are enough if they were in one piece.");
  }

  private Row withoutOthers() {
    if (device.freeBytes().isEmpty() || device.othersBytes().isEmpty()) {
      if (!state.isWithinLimit(state.limitedBytes())) {
        return new Row(
            Name.WITHOUT_OTHERS,
            NO,
            device.othersBytes(),
            "The memory limit of the allocator refuses the request, whatever others hold.");
      }
      return unknown(
          Name.WITHOUT_OTHERS,
          "How much memory was used outside this allocator is unknown without the "
              + (device.totalBytes().isEmpty() ? "size" : "free memory")
              + " of the device.");
    }
    long others = device.othersBytes().getAsLong();
    if (others == 0) {
      return notApplicable(
          Name.WITHOUT_OTHERS,
          state.request().family() == AllocatorFamily.DIRECT
              ? "What the driver may have rounded sizes up by is all that was used outside them."
              : "No device memory was used outside this allocator.");
    }
    long available = device.freeBytes().getAsLong() + others;
    boolean isEnough = available >= neededBytes && state.isWithinLimit(state.limitedBytes());
    return row(
        Name.WITHOUT_OTHERS,
        isEnough ? YES : NO,
        others,
        ByteText.of(others)
            + " is used outside this allocator"
            + OutsideHolders.of(state.ledger()).map(who -> ": " + who.text()).orElse("")
            + ". Without it, the device would have "
            + ByteText.of(available)
            + " free; "
            + needed());
  }

  private Row withoutLimit() {
    boolean isRefused = !state.isWithinLimit(state.limitedBytes());
    if (!device.isLimited() && !state.isRefusedByUnknownLimit()) {
      return notApplicable(Name.WITHOUT_LIMIT, "No memory limit of the allocator is recorded.");
    }
    if (device.freeBytes().isEmpty()) {
      return unknown(Name.WITHOUT_LIMIT, NO_FREE);
    }
    if (device.limitBytes().isPresent() && !isRefused) {
      return notApplicable(
          Name.WITHOUT_LIMIT,
          "The limit of " + ByteText.of(device.limitBytes().getAsLong()) + " was not reached.");
    }
    long deviceFree = device.freeBytes().getAsLong();
    return row(
        Name.WITHOUT_LIMIT,
        deviceFree >= neededBytes ? YES : NO,
        deviceFree,
        "Without the limit, the allocator could use the "
            + ByteText.of(deviceFree)
            + " free on the device; "
            + needed());
  }

  private Row onOneStream() {
    if (!isCaching() || free.otherStream() == 0) {
      return notApplicable(
          Name.ON_ONE_STREAM,
          isCaching()
              ? "No free memory of this pool belongs to another stream."
              : "This allocator serves all streams from the same memory.");
    }
    long largest = state.largestFree(Rejection.OtherStream.class);
    return row(
        Name.ON_ONE_STREAM,
        largest >= request.roundedBytes() ? YES : NO,
        free.otherStream(),
        ByteText.of(free.otherStream())
            + " is free on other streams, in blocks of at most "
            + ByteText.of(largest)
            + "; "
            + question()
            + " was asked for.");
  }

  private Row allPools() {
    long bytes = free.otherKind() + free.otherPool();
    if (!isCaching() || bytes == 0) {
      return notApplicable(
          Name.ALL_POOLS,
          isCaching()
              ? "No other pool has free memory."
              : "This allocator has one pool for all requests.");
    }
    long largest =
        Math.max(
            state.largestFree(Rejection.OtherKind.class),
            state.largestFree(Rejection.OtherPool.class));
    if (largest >= request.roundedBytes()) {
      return row(
          Name.ALL_POOLS,
          YES,
          bytes,
          ByteText.of(bytes)
              + " is free in other pools, in blocks of at most "
              + ByteText.of(largest)
              + ".");
    }
    // Private pools keep segments that the default pool would release.
    long keptBytes = state.privateReleasableBytes();
    if (keptBytes > 0 && device.freeBytes().isEmpty()) {
      return unknown(Name.ALL_POOLS, NO_FREE);
    }
    boolean isEnough = keptBytes > 0 && isEnoughFromDevice(keptBytes);
    return row(
        Name.ALL_POOLS,
        isEnough ? YES : NO,
        bytes,
        ByteText.of(bytes)
            + " is free in other pools, in blocks of at most "
            + ByteText.of(largest)
            + (keptBytes > 0
                ? "; private pools keep " + ByteText.of(keptBytes) + " that could be released"
                : "")
            + "; "
            + needed());
  }

  private Row pendingFreesDone() {
    if (free.pendingFree() == 0) {
      return notApplicable(Name.PENDING_FREES_DONE, "No freed memory was waiting for a stream.");
    }
    long bytes = free.pendingFree();
    String waiting = ByteText.of(bytes) + " of freed memory is waiting for a stream";
    if (BestFit.couldBeServedLater(state.state().segments(), request)) {
      return row(
          Name.PENDING_FREES_DONE, YES, bytes, waiting + "; its blocks could serve the request.");
    }
    boolean isReleased = !state.isCacheKept();
    boolean isEnough =
        isReleased
            && device.freeBytes().isPresent()
            && isEnoughFromDevice(state.releasable().defaultPoolBytes());
    return row(
        Name.PENDING_FREES_DONE,
        isEnough ? YES : NO,
        bytes,
        waiting
            + (isEnough
                ? ", in segments that the allocator could release then."
                : ", but not in the pool and on the stream of this request, or in pieces."));
  }

  private Row cacheEmptied() {
    if (!isCaching()) {
      return notApplicable(
          Name.CACHE_EMPTIED, "This allocator does not release memory for a request.");
    }
    long releasable = state.defaultReleasableBytes();
    if (releasable == 0) {
      String before =
          state.before().releasedBytes() == 0
              ? ""
              : "The allocator had released "
                  + ByteText.of(state.before().releasedBytes())
                  + " just before the failure. ";
      return row(
          Name.CACHE_EMPTIED,
          NO,
          0,
          before + "No free segment was left that the allocator could release.");
    }
    if (device.freeBytes().isEmpty()) {
      return unknown(Name.CACHE_EMPTIED, NO_FREE);
    }
    return row(
        Name.CACHE_EMPTIED,
        isEnoughFromDevice(releasable) ? YES : NO,
        releasable,
        "Emptying the cache would release "
            + ByteText.of(releasable)
            + ", in addition to the "
            + ByteText.of(device.freeBytes().getAsLong())
            + " free on the device; "
            + needed());
  }

  private Row doubleTotal() {
    if (device.freeBytes().isEmpty()) {
      return unknown(Name.DOUBLE_TOTAL, NO_FREE);
    }
    long more = device.leastTotalBytes();
    long deviceFree = device.freeBytes().getAsLong();
    long least = deviceFree + more;
    // A fraction of the device doubles with it; the allocator holds what it reserved in any case.
    boolean isAllowed =
        !device.isLimited()
            || device.reservedBytes() + state.limitedBytes()
                <= 2 * device.limitBytes().orElse(device.reservedBytes());
    String with =
        device.totalBytes().isPresent()
            ? "With twice the memory, "
            : "With twice the " + ByteText.of(more) + " that the recording shows, ";
    if (least >= neededBytes && isAllowed) {
      return row(
          Name.DOUBLE_TOTAL,
          YES,
          more,
          with
              + "the device would have "
              + (device.totalBytes().isPresent() ? "" : "at least ")
              + ByteText.of(least)
              + " free; "
              + needed());
    }
    long mostFree = least + free.cached() + free.pendingFree();
    if (device.totalBytes().isPresent() && mostFree < request.roundedBytes()) {
      return row(
          Name.DOUBLE_TOTAL,
          NO,
          more,
          with + "at most " + ByteText.of(mostFree) + " would be free; " + needed());
    }
    return unknown(
        Name.DOUBLE_TOTAL,
        device.totalBytes().isPresent()
            ? "It depends on where the blocks would have been on a device of twice the size."
            : "The size of the device is unknown.");
  }

  /** The released memory may include pages of the request's own segment, so all are needed. */
  private boolean isEnoughFromDevice(long releasedBytes) {
    return device.freeBytes().orElse(0) + releasedBytes >= request.segmentBytes()
        && state.isWithinLimit(state.limitedBytes() - releasedBytes);
  }

  private boolean isCaching() {
    return request.family() == AllocatorFamily.CACHING;
  }

  private String question() {
    return ByteText.of(request.roundedBytes());
  }

  private String needed() {
    return ByteText.of(neededBytes) + " would be needed.";
  }

  private static Row row(Name name, Answer answer, long bytes, String sentence) {
    return new Row(name, answer, OptionalLong.of(bytes), sentence);
  }

  private static Row unknown(Name name, String reason) {
    return new Row(name, UNKNOWN, OptionalLong.empty(), reason);
  }

  private static Row notApplicable(Name name, String reason) {
    return new Row(name, NOT_APPLICABLE, OptionalLong.empty(), reason);
  }
}
