package dev.vramscope.web.uploads;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vramscope.store.Damage;
import dev.vramscope.store.StoreStatus;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.request.Slice;
import dev.vramscope.work.Gate;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkLoad;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The condition of the service. */
@RestController
@Tag(name = "Status")
class StatusApi {
  private static final int MAX_LIMIT = 1000;

  private final StoreStatus store;
  private final HeavyWork work;
  private final Gate answering;

  StatusApi(StoreStatus store, HeavyWork work, Gate answering) {
    this.store = store;
    this.work = work;
    this.answering = answering;
  }

  /**
   * The condition of the service.
   *
   * @param work tasks that have begun, and that wait for their first turn, by kind
   * @param requests short requests that are being answered
   */
  record Status(@JsonUnwrapped StoreStatus.Report store, List<WorkLoad> work, Gate.Load requests) {}

  @Immediate
  @GetMapping("/api/v1/status")
  @Operation(
      summary = "Condition of the service",
      description =
          "Whether snapshots can be stored, how many are being read again from their original"
              + " files, which have lost their name and tags, and which are damaged: of these two,"
              + " the number and the first 20. good: nothing is wrong. work: how many"
              + " reports, replays and other long computations have begun, and how many wait."
              + " requests: how many other requests are being answered, how many of these take more"
              + " than a second (overdue), and how many wait.")
  Status status() {
    return new Status(store.report(), work.load(), answering.load());
  }

  /**
   * A part of the damaged snapshots.
   *
   * @param total number of all
   */
  record DamagedListing(List<Damage> damaged, int total, int limit, int offset) {}

  @GetMapping("/api/v1/status/damaged")
  @Operation(
      summary = "Damaged snapshots",
      description = "By id, with offset and limit; total is their number.")
  DamagedListing damaged(
      @RequestParam(defaultValue = "100") int limit, @RequestParam(defaultValue = "0") int offset) {
    Slice.requireOffset(offset);
    if (limit < 1 || limit > MAX_LIMIT) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_LIMIT);
    }
    return new DamagedListing(store.damaged(offset, limit), store.damagedCount(), limit, offset);
  }
}
