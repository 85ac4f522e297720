package dev.vramscope.web.timeline;

import dev.vramscope.analysis.sites.ActiveSites;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Unchanging;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.FrameView;
import dev.vramscope.web.snapshot.SnapshotCache;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The sites of the allocations that are too thin to draw on the timeline. */
@RestController
@RequestMapping("/api/v1/snapshots/{id}/timeline/rest")
@Tag(name = "Charts")
class SmallAllocationsApi {
  private static final int SITES = 8;
  private static final int CHARACTERS = 20_000;

  private final SnapshotCache snapshots;

  SmallAllocationsApi(SnapshotCache snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * Small allocations that are active after an event.
   *
   * @param bytes requested bytes of all of them
   * @param sites those with the most bytes
   * @param otherSiteCount sites that are not listed
   */
  record SmallAllocations(long bytes, long count, List<SmallSite> sites, int otherSiteCount) {}

  /**
   * The allocations of a site.
   *
   * @param site null without a stack
   */
  record SmallSite(@Nullable FrameView site, long bytes, long count) {}

  @Unchanging
  @GetMapping
  @Operation(
      summary = "The sites of the allocations that the timeline sums up",
      description =
          "The allocations with less than 'below' requested bytes that are active after an event,"
              + " by site: the largest sites, and the sum of all. For a column of the timeline, the"
              + " event is the sampled one and 'below' is leastBytes; the sum then is the column's"
              + " rest.")
  SmallAllocations rest(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam int event,
      @RequestParam long below) {
    DeviceInspection inspection = ChosenDevice.of(snapshots.get(id), device);
    int eventCount = inspection.device().trace().size();
    if (event < 0 || event >= eventCount) {
      throw RefusedRequestException.notFound(
          "There is no event " + event + " on device " + inspection.ordinal(),
          "parameter event",
          eventCount == 0 ? "This device has none." : "Events are 0 to " + (eventCount - 1) + ".");
    }
    ActiveSites sites =
        ActiveSites.at(inspection.lifetimes(), inspection.stacks(), event, below, SITES);
    long bytes = sites.parts().stream().mapToLong(part -> part).sum();
    ActiveSites.Group others = sites.others();
    long count = others == null ? 0 : others.count();
    TextBudget budget = new TextBudget(CHARACTERS);
    List<SmallSite> listed = new ArrayList<>();
    for (ActiveSites.Group group : sites.groups()) {
      count += group.count();
      listed.add(
          new SmallSite(
              FrameView.ofSite(inspection.stacks(), group.site(), budget),
              group.bytes(),
              group.count()));
    }
    return new SmallAllocations(bytes, count, listed, sites.otherSiteCount());
  }
}
