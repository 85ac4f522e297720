package dev.vramscope.web.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vramscope.analysis.segments.PoolBins;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The bins of a BFC allocator as JSON. */
@RestController
@Tag(name = "Analyses")
class BinsApi {
  private final SnapshotCache snapshots;

  BinsApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * The bins and the fragmentation of a pool.
   *
   * @param fragmentation 1 − largest free chunk / free bytes; missing if nothing is free
   * @param recordedFragmentation the allocator's own metric; missing if the file does not have it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record BinsView(
      List<BinView> bins, @Nullable Double fragmentation, @Nullable Double recordedFragmentation) {}

  /**
   * One bin.
   *
   * @param requestedBytes requested of the chunks in use; missing if the file does not have it
   * @param requestedErrorBytes the most by which that may differ, because the file rounds it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record BinView(
      long smallestBytes,
      int chunksInUse,
      long bytesInUse,
      @Nullable Long requestedBytes,
      @Nullable Long requestedErrorBytes,
      int freeChunks,
      long freeBytes) {
    static BinView of(PoolBins.Bin bin) {
      return new BinView(
          bin.smallestBytes(),
          bin.chunksInUse(),
          bin.bytesInUse(),
          bin.requested().map(PoolRecord.Requested::bytes).orElse(null),
          bin.requested().map(PoolRecord.Requested::errorBytes).orElse(null),
          bin.freeChunks(),
          bin.freeBytes());
    }
  }

  @GetMapping("/api/v1/snapshots/{id}/bins")
  @Operation(
      summary = "The chunks of a BFC allocator by bin",
      description =
          "The 21 bins of XLA's and TensorFlow's allocator with the chunks in use, what was"
              + " requested of them and the free chunks, and the fragmentation of the pool.")
  BinsView bins(@PathVariable String id, @RequestParam @Nullable Integer device) {
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshots.get(id), device);
    if (!inspection.family().isBfc()) {
      throw RefusedRequestException.notFound(
          inspection.device().label() + " has no BFC allocator",
          "parameter device",
          "GET /api/v1/snapshots/{id}/ledger has the free memory of other allocators.");
    }
    PoolBins pool = PoolBins.of(inspection.device());
    return new BinsView(
        pool.bins().stream().map(BinView::of).toList(),
        ifPresent(pool.fragmentation()),
        ifPresent(pool.recordedFragmentation()));
  }

  private static @Nullable Double ifPresent(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
