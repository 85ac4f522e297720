package dev.vramscope.allocator.bfc;

import dev.vramscope.device.SubAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * BFC as plainly as it can be written: lists of chunks, searched from the front. What {@link
 * BfcAllocator} does must be the same, address by address.
 */
final class ReferenceModel {
  private static final int ATTEMPTS_WITH_RETRY = 4;

  static final class Piece {
    long address;
    long bytes;
    boolean allocated;
    Tag tag;

    Piece(long address, long bytes, Tag tag) {
      this.address = address;
      this.bytes = bytes;
      this.tag = tag;
    }

    @Override
    public String toString() {
      return "%x+%d%s %s".formatted(address, bytes, allocated ? " allocated" : "", tag.text());
    }
  }

  private final BfcOptions options;
  private final SubAllocator source;
  private final List<List<Piece>> regions = new ArrayList<>();
  private long target;

  ReferenceModel(BfcOptions options, SubAllocator source) {
    this.options = options;
    this.source = source;
    this.target = up(Math.min(options.limitBytes(), options.growing() ? 2 << 20 : Long.MAX_VALUE));
  }

  /** The chunk that was handed out, or null. */
  @Nullable Piece allocate(long bytes, long alignment, AllocationEnd end, boolean retrying) {
    Piece piece = null;
    for (int i = 0; piece == null && i < (retrying ? ATTEMPTS_WITH_RETRY : 1); i++) {
      piece = attempt(up(bytes), Math.max(alignment, 256), end.tag());
    }
    return piece;
  }

  private @Nullable Piece attempt(long bytes, long alignment, Tag end) {
    Piece piece = find(bytes, alignment, end);
    if (piece == null && extend(bytes, alignment)) {
      piece = find(bytes, alignment, end);
    }
    if (piece == null && release(bytes) && extend(bytes, alignment)) {
      piece = find(bytes, alignment, end);
    }
    return piece;
  }

  private @Nullable Piece find(long bytes, long alignment, Tag end) {
    List<Piece> fitting =
        regions.stream()
            .flatMap(List::stream)
            .filter(p -> !p.allocated && start(p, bytes, alignment, end) >= p.address)
            .filter(p -> start(p, bytes, alignment, end) + bytes <= p.address + p.bytes)
            .toList();
    return fitting.stream()
        .filter(p -> p.tag == end)
        .min(Comparator.<Piece>comparingLong(p -> p.bytes).thenComparingLong(p -> p.address))
        .or(() -> fitting.stream().filter(p -> p.tag == Tag.CENTRAL_GAP).findFirst())
        .map(p -> cut(p, start(p, bytes, alignment, end), bytes, end))
        .orElse(null);
  }

  private static long start(Piece piece, long bytes, long alignment, Tag end) {
    return end == Tag.UPPER
        ? Math.floorDiv(piece.address + piece.bytes - bytes, alignment) * alignment
        : piece.address + up(Math.ceilDiv(piece.address, alignment) * alignment - piece.address);
  }

  private Piece cut(Piece piece, long start, long bytes, Tag end) {
    List<Piece> region = regions.stream().filter(r -> r.contains(piece)).findFirst().orElseThrow();
    Piece taken = piece;
    if (start > piece.address) {
      taken = split(region, piece, start - piece.address);
      piece.tag = end == Tag.LOWER ? end : piece.tag;
    }
    long rest = taken.bytes - bytes;
    boolean splits =
        end == Tag.UPPER
            ? rest > 0
            : rest >= bytes || (rest > 0 && rest >= options.maxInternalFragmentationBytes());
    taken.tag = end == Tag.UPPER ? end : taken.tag;
    if (splits) {
      split(region, taken, bytes);
    }
    taken.tag = end;
    taken.allocated = true;
    return taken;
  }

  private static Piece split(List<Piece> region, Piece piece, long bytes) {
    Piece right = new Piece(piece.address + bytes, piece.bytes - bytes, piece.tag);
    piece.bytes = bytes;
    region.add(region.indexOf(piece) + 1, right);
    return right;
  }

  private boolean extend(long bytes, long alignment) {
    long available = (options.limitBytes() - poolBytes()) / 256 * 256;
    if (bytes > available) {
      return false;
    }
    boolean raised = target < bytes;
    while (target < bytes) {
      target *= 2;
    }
    long wanted = Math.min(target, available);
    long address = source.allocate(alignment, wanted);
    while (address == 0) {
      wanted = Math.min(up((long) (wanted * 0.9f)), wanted - 256);
      if (wanted < bytes) {
        return false;
      }
      address = source.allocate(alignment, wanted);
    }
    target = raised ? target : 2 * target;
    Piece piece =
        new Piece(
            address, source.bytesAt(address), options.partitioned() ? Tag.CENTRAL_GAP : Tag.LOWER);
    List<Piece> joined = source.joinsNeighbours() ? regionEndingAt(address) : null;
    if (joined == null) {
      regions.add(new ArrayList<>(List.of(piece)));
      regions.sort(Comparator.comparingLong(r -> r.getFirst().address));
    } else {
      joined.add(piece);
      merge(joined, piece);
    }
    return true;
  }

  private @Nullable List<Piece> regionEndingAt(long address) {
    for (List<Piece> region : regions) {
      if (region.getLast().address + region.getLast().bytes == address) {
        return region;
      }
    }
    return null;
  }

  private boolean release(long bytes) {
    List<List<Piece>> free =
        regions.stream().filter(r -> r.stream().noneMatch(p -> p.allocated)).toList();
    long freeBytes = free.stream().flatMap(List::stream).mapToLong(p -> p.bytes).sum();
    if (!options.releasesFreeRegions()
        || freeBytes == 0
        || bytes > options.limitBytes() - poolBytes() + freeBytes) {
      return false;
    }
    for (List<Piece> region : free) {
      source.free(region.getFirst().address, region.stream().mapToLong(p -> p.bytes).sum());
    }
    return regions.removeAll(free);
  }

  void free(Piece piece) {
    List<Piece> region = regions.stream().filter(r -> r.contains(piece)).findFirst().orElseThrow();
    piece.allocated = false;
    int inner = region.indexOf(piece) + (piece.tag == Tag.LOWER ? 1 : -1);
    boolean atGap = inner < 0 || inner == region.size() || region.get(inner).tag != piece.tag;
    if (options.partitioned() && atGap) {
      piece.tag = Tag.CENTRAL_GAP;
    }
    merge(region, piece);
  }

  private static void merge(List<Piece> region, Piece piece) {
    int at = region.indexOf(piece);
    if (at + 1 < region.size() && !region.get(at + 1).allocated) {
      absorb(piece, region.remove(at + 1));
    }
    if (at > 0 && !region.get(at - 1).allocated) {
      absorb(region.get(at - 1), region.remove(at));
    }
  }

  private static void absorb(Piece left, Piece right) {
    left.bytes += right.bytes;
    left.tag = left.tag == right.tag ? left.tag : Tag.CENTRAL_GAP;
  }

  private long poolBytes() {
    return regions.stream().flatMap(List::stream).mapToLong(p -> p.bytes).sum();
  }

  /** All chunks by region and address, as text. */
  String chunks() {
    return regions.toString();
  }

  private static long up(long bytes) {
    return Math.ceilDiv(bytes, 256L) * 256;
  }
}
