package dev.vramscope.live.lab;

import dev.vramscope.allocator.SegmentView;
import java.util.List;

/** Explains the requests of a program that calls the driver for each of them. */
final class DirectReasons extends Reasons {
  DirectReasons(
      LabAllocator side, List<SegmentView> before, Applied applied, List<SegmentView> after) {
    super(side, before, applied, after);
  }

  @Override
  String block() {
    return "block";
  }

  @Override
  String segment() {
    return "block";
  }

  @Override
  Search search(Operation.Allocate request) {
    return new Search(
        request.bytes(), List.of(), Search.NONE, /* firstBin= */ -1, /* lastBin= */ -1);
  }

  @Override
  void allocated(Operation.Allocate request) {
    add(
        Reason.Kind.SEARCHED,
        "There is no cache to search: cudaMalloc is called for "
            + exact(request.bytes())
            + ", and takes its time for every request.");
    if (applied.isFailed()) {
      add(
          Reason.Kind.DRIVER,
          "The driver refuses: the device has "
              + exact(side.device().memory().freeBytes())
              + " free.");
      add(Reason.Kind.FAILED, applied.message());
    } else {
      driver();
    }
  }

  @Override
  String freedMemory() {
    return "cudaFree waits until all kernels are finished.";
  }
}
