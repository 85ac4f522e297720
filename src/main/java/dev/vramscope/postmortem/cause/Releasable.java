package dev.vramscope.postmortem.cause;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that PyTorch's caching allocator releases before a request fails. It waits for pending
 * frees first, so their blocks count as free.
 *
 * @param defaultPoolBytes in the default pool
 * @param privatePoolBytes in private pools, which release it only if they have no users; a snapshot
 *     does not contain whether they have
 * @param leftoverBytes the most bytes, within the request's pool and stream, that remain free at
 *     the two ends of a range of released pages; the range needs fewer pages by them
 */
public record Releasable(long defaultPoolBytes, long privatePoolBytes, long leftoverBytes) {

  public static Releasable of(List<Segment> segments, Request request, SizeRules sizes) {
    long inDefault = 0;
    long inPrivate = 0;
    long front = 0;
    long back = 0;
    for (Segment segment : segments) {
      long page = segment.expandable() ? sizes.pageBytes(segment.kind()) : 0;
      long released = 0;
      if (segment.expandable()) {
        for (Range range : ranges(segment)) {
          long from = Math.min(range.to, Math.ceilDiv(range.from, page) * page);
          long to = Math.max(range.from, range.to / page * page);
          released += Math.max(0, to - from);
          if (request.isPlacedIn(segment)) {
            front = Math.max(front, from - range.from);
            back = Math.max(back, range.to - to);
          }
        }
      } else if (!hasAllocatedBlock(segment)) {
        released = segment.bytes();
      }
      if (segment.pool().isPrivate()) {
        inPrivate += released;
      } else {
        inDefault += released;
      }
    }
    return new Releasable(inDefault, inPrivate, front + back);
  }

  /** A range that no client holds, as offsets in its segment. */
  private record Range(long from, long to) {}

  private static List<Range> ranges(Segment segment) {
    List<Range> ranges = new ArrayList<>();
    long start = -1;
    for (Block block : segment.blocks()) {
      long offset = block.address() - segment.address();
      if (block.state() == BlockState.ALLOCATED) {
        if (start >= 0) {
          ranges.add(new Range(start, offset));
        }
        start = -1;
      } else if (start < 0) {
        start = offset;
      }
    }
    if (start >= 0) {
      ranges.add(new Range(start, segment.bytes()));
    }
    return ranges;
  }

  private static boolean hasAllocatedBlock(Segment segment) {
    return segment.blocks().stream().anyMatch(block -> block.state() == BlockState.ALLOCATED);
  }
}
