package dev.vramscope.analysis.segments;

import dev.vramscope.analysis.segments.SegmentHistory.Held;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a picture of segments over time. Memory that overlaps in address, and adjacent pages
 * of expandable segments, form one <em>part</em>; the addresses between parts are left out. A lane
 * is one part or, where there is not enough height, several neighbours; a lane is divided into
 * <em>strips</em> of a few pixels for what is too thin to draw.
 *
 * <pre>
 *   addresses   ▓▓▓▓▓▓     ▓▓▓▓▓▓▓▓▓   ▓▓ ▓▓ ▓▓
 *   parts       0          1           2  3  4
 *   lanes       0          1           2             offsets count from the start of a lane
 *   strips      0          1  2  3     4
 * </pre>
 */
public final class SegmentLanes {
  /** Minimum height of a lane, in pixels. */
  private static final int MIN_LANE_PIXELS = 6;

  private static final int STRIP_PIXELS = 4;

  private final List<Part> parts = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final PartAddresses addresses;
  private final long[] ends;
  private final int[] laneOfPart;
  private int stripCount;

  /** A contiguous range of addresses, and its offset in its lane. */
  public record Part(long address, long bytes, long offset, Held first, boolean isMixed) {
    public long end() {
      return address + bytes;
    }
  }

  /** Height and position are in pixels from the top. */
  public record Lane(
      int firstPart,
      int partLimit,
      long bytes,
      double top,
      double height,
      int firstStrip,
      int strips) {

    /** The strip, from 0, that contains an offset. */
    public int stripAt(long offset) {
      int strip = (int) Math.min(strips - 1, (double) offset / bytes * strips);
      while (strip > 0 && stripStart(strip) > offset) {
        strip--;
      }
      while (strip + 1 < strips && stripStart(strip + 1) <= offset) {
        strip++;
      }
      return strip;
    }

    /** The offset at which a strip starts. */
    public long stripStart(int strip) {
      return strip == strips ? bytes : (long) ((double) bytes / strips * strip);
    }
  }

  /** Lanes for what is held at the sampled events, in address order, on {@code height} pixels. */
  SegmentLanes(List<Held> shownSegments, int height, int maxStrips) {
    addParts(shownSegments);
    addresses = new PartAddresses(parts.stream().mapToLong(Part::address).toArray());
    ends = parts.stream().mapToLong(Part::end).toArray();
    laneOfPart = new int[parts.size()];
    int maxLanes = Math.max(1, Math.min(height / MIN_LANE_PIXELS, maxStrips));
    addLanes(groups(maxLanes), height, maxStrips);
  }

  private void addParts(List<Held> shownSegments) {
    for (int i = 0; i < shownSegments.size(); ) {
      Held first = shownSegments.get(i);
      long end = first.end();
      boolean mixed = false;
      for (i++; i < shownSegments.size() && continues(first, end, shownSegments.get(i)); i++) {
        Held next = shownSegments.get(i);
        end = Math.max(end, next.end());
        mixed |= next.stream() != first.stream() || !next.pool().equals(first.pool());
      }
      parts.add(new Part(first.address(), end - first.address(), 0, first, mixed));
    }
  }

  private static boolean continues(Held first, long end, Held next) {
    boolean touches = next.address() == end;
    return next.address() < end
        || (touches && first.expandable() && next.expandable() && first.stream() == next.stream());
  }

  /** The number of parts in each lane: small neighbours together, so that there are few enough. */
  private int[] groups(int maxLanes) {
    if (parts.size() <= maxLanes) {
      int[] single = new int[parts.size()];
      Arrays.fill(single, 1);
      return single;
    }
    long total = parts.stream().mapToLong(Part::bytes).sum();
    long limit = Math.max(1, total / maxLanes / 8);
    int[] groups = groupsUpTo(limit);
    while (groups.length > maxLanes) {
      limit = limit * 5 / 4 + 1;
      groups = groupsUpTo(limit);
    }
    return groups;
  }

  private int[] groupsUpTo(long limit) {
    int[] groups = new int[parts.size()];
    int count = 0;
    long bytes = 0;
    for (int part = 0; part < parts.size(); part++) {
      bytes += parts.get(part).bytes();
      if (part == 0 || bytes > limit) {
        count++;
        bytes = parts.get(part).bytes();
      }
      groups[count - 1]++;
    }
    return Arrays.copyOf(groups, count);
  }

  private void addLanes(int[] groups, int height, int maxStrips) {
    double total = parts.stream().mapToDouble(Part::bytes).sum();
    double flexible = Math.max(0, height - (double) groups.length * MIN_LANE_PIXELS);
    double stripPixels = Math.max(STRIP_PIXELS, (double) height / maxStrips);
    double top = 0;
    int part = 0;
    for (int group : groups) {
      int first = part;
      long bytes = 0;
      for (; part < first + group; part++) {
        Part old = parts.get(part);
        parts.set(part, new Part(old.address(), old.bytes(), bytes, old.first(), old.isMixed()));
        laneOfPart[part] = lanes.size();
        bytes += old.bytes();
      }
      double pixels = Math.min(height, MIN_LANE_PIXELS) + flexible * (bytes / total);
      int strips = (int) Math.max(1, Math.min(bytes, (long) (pixels / stripPixels)));
      lanes.add(new Lane(first, part, bytes, top, pixels, stripCount, strips));
      stripCount += strips;
      top += pixels;
    }
  }

  public List<Lane> lanes() {
    return lanes;
  }

  public List<Part> parts() {
    return parts;
  }

  public int stripCount() {
    return stripCount;
  }

  /** The lane of a part. */
  public int laneOf(int part) {
    return laneOfPart[part];
  }

  /** The part that contains an address, or -1. */
  int partAt(long address) {
    int part = addresses.lastUpTo(address);
    return part >= 0 && address >= 0 && address < ends[part] ? part : -1;
  }
}
