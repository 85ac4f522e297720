package dev.vramscope.web.sites;

import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.stacks.StackSearch;
import dev.vramscope.analysis.timeline.SearchedMemory;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.StackTable;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.EventQuery;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which sites the page lists, and which it marks, as the parameters of a request; a blank parameter
 * is a missing one.
 *
 * @param text words in a frame of the stacks; sites with them are marked and above the others
 * @param only whether sites without the text are left out
 * @param use the id of a use of the memory; others are left out
 */
public record SiteFilter(@Nullable String text, boolean only, @Nullable String use) {
  private static final List<String> USES = Arrays.stream(Use.values()).map(Use::id).toList();

  /**
   * @throws RefusedRequestException if the use is not one
   */
  public SiteFilter {
    text = text == null || text.isBlank() ? null : EventQuery.checked(text.strip());
    only = only && text != null;
    use = use == null || use.isBlank() ? null : use;
    if (use != null && !USES.contains(use)) {
      throw RefusedRequestException.badParameter("use", use, String.join(", ", USES));
    }
  }

  /** The values of {@code use}. */
  public List<Use> uses() {
    return List.of(Use.values());
  }

  /** Whether sites may be left out. */
  public boolean leavesOut() {
    return only || use != null;
  }

  /** The sites of the allocations with the text in their stack, each with such a stack. */
  Map<Sites.Row, Integer> matchingStacks(DeviceInspection device, StackClasses stacks) {
    if (text == null) {
      return Map.of();
    }
    StackSearch search = StackSearch.of(stacks.stacks(), text);
    Map<Integer, Integer> byFrame =
        new SearchedMemory(device.lifetimes(), search).siteStacks(stacks);
    Map<Sites.Row, Integer> stackOfSite = new HashMap<>();
    for (Sites.Row row : device.sites().rows()) {
      Integer stack =
          row.stack() == StackTable.NONE
              ? null
              : byFrame.get(stacks.stacks().frameNumber(stacks.siteOf(row.stack())));
      if (stack != null) {
        stackOfSite.put(row, stack);
      }
    }
    return stackOfSite;
  }

  /** The sites to list, of all sites and those that were found. */
  List<Sites.Row> listed(List<Sites.Row> all, Set<Sites.Row> matches) {
    return all.stream()
        .filter(row -> !only || matches.contains(row))
        .filter(row -> use == null || row.use().id().equals(use))
        .toList();
  }
}
