package dev.vramscope.allocator.bfc;

import dev.vramscope.device.SubAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A simple model of BFC: lists of chunks with linear search. {@link BfcAllocator} must return the
 * same addresses.
 */
final class ReferenceModel {
  private static final int ATTEMPTS_WITH_RETRY = 4;

  static final class ModelChunk {
    long address;
    long bytes;
    boolean allocated;
    Tag tag;

    ModelChunk(long address, long bytes, Tag tag) {
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
  private final List<List<ModelChunk>> regions = new ArrayList<>();
  private long target;

  ReferenceModel(BfcOptions options, SubAllocator source) {
    this.options = options;
    this.source = source;
    this.target =
        roundUp(Math.min(options.limitBytes(), options.growing() ? 2 << 20 : Long.MAX_VALUE));
  }

  /** Returns the allocated chunk, or null. */
  @Nullable ModelChunk allocate(long bytes, long alignment, AllocationEnd end, boolean retrying) {
    ModelChunk chunk = null;
    for (int i = 0; chunk == null && i < (retrying ? ATTEMPTS_WITH_RETRY : 1); i++) {
      chunk = attempt(roundUp(bytes), Math.max(alignment, 256), end.tag());
    }
    return chunk;
  }

  private @Nullable ModelChunk attempt(long bytes, long alignment, Tag end) {
    ModelChunk chunk = find(bytes, alignment, end);
    if (chunk == null && extend(bytes, alignment)) {
      chunk = find(bytes, alignment, end);
    }
    if (chunk == null && release(bytes) && extend(bytes, alignment)) {
      chunk = find(bytes, alignment, end);
    }
    return chunk;
  }

  private @Nullable ModelChunk find(long bytes, long alignment, Tag end) {
    List<ModelChunk> fitting =
        regions.stream()
            .flatMap(List::stream)
            .filter(p -> !p.allocated && start(p, bytes, alignment, end) >= p.address)
            .filter(p -> start(p, bytes, alignment, end) + bytes <= p.address + p.bytes)
            .toList();
    return fitting.stream()
        .filter(p -> p.tag == end)
        .min(Comparator.<ModelChunk>comparingLong(p -> p.bytes).thenComparingLong(p -> p.address))
        .or(() -> fitting.stream().filter(p -> p.tag == Tag.CENTRAL_GAP).findFirst())
        .map(p -> allocateFrom(p, start(p, bytes, alignment, end), bytes, end))
        .orElse(null);
  }

  private static long start(ModelChunk chunk, long bytes, long alignment, Tag end) {
    return end == Tag.UPPER
        ? Math.floorDiv(chunk.address + chunk.bytes - bytes, alignment) * alignment
        : chunk.address
            + roundUp(Math.ceilDiv(chunk.address, alignment) * alignment - chunk.address);
  }

  private ModelChunk allocateFrom(ModelChunk chunk, long start, long bytes, Tag end) {
    List<ModelChunk> region =
        regions.stream().filter(r -> r.contains(chunk)).findFirst().orElseThrow();
    ModelChunk block = chunk;
    if (start > chunk.address) {
      block = split(region, chunk, start - chunk.address);
      chunk.tag = end == Tag.LOWER ? end : chunk.tag;
    }
    long remainder = block.bytes - bytes;
    boolean splits =
        end == Tag.UPPER
            ? remainder > 0
            : remainder >= bytes
                || (remainder > 0 && remainder >= options.maxInternalFragmentationBytes());
    block.tag = end == Tag.UPPER ? end : block.tag;
    if (splits) {
      split(region, block, bytes);
    }
    block.tag = end;
    block.allocated = true;
    return block;
  }

  private static ModelChunk split(List<ModelChunk> region, ModelChunk chunk, long bytes) {
    ModelChunk right = new ModelChunk(chunk.address + bytes, chunk.bytes - bytes, chunk.tag);
    chunk.bytes = bytes;
    region.add(region.indexOf(chunk) + 1, right);
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
      wanted = Math.min(roundUp((long) (wanted * 0.9f)), wanted - 256);
      if (wanted < bytes) {
        return false;
      }
      address = source.allocate(alignment, wanted);
    }
    target = raised ? target : 2 * target;
    ModelChunk chunk =
        new ModelChunk(
            address, source.bytesAt(address), options.partitioned() ? Tag.CENTRAL_GAP : Tag.LOWER);
    List<ModelChunk> joined = source.supportsCoalescing() ? regionEndingAt(address) : null;
    if (joined == null) {
      regions.add(new ArrayList<>(List.of(chunk)));
      regions.sort(Comparator.comparingLong(r -> r.getFirst().address));
    } else {
      joined.add(chunk);
      merge(joined, chunk);
    }
    return true;
  }

  private @Nullable List<ModelChunk> regionEndingAt(long address) {
    for (List<ModelChunk> region : regions) {
      if (region.getLast().address + region.getLast().bytes == address) {
        return region;
      }
    }
    return null;
  }

  private boolean release(long bytes) {
    List<List<ModelChunk>> free =
        regions.stream().filter(r -> r.stream().noneMatch(p -> p.allocated)).toList();
    long freeBytes = free.stream().flatMap(List::stream).mapToLong(p -> p.bytes).sum();
    if (!options.releasesFreeRegions()
        || freeBytes == 0
        || bytes > options.limitBytes() - poolBytes() + freeBytes) {
      return false;
    }
    for (List<ModelChunk> region : free) {
      source.free(region.getFirst().address, region.stream().mapToLong(p -> p.bytes).sum());
    }
    return regions.removeAll(free);
  }

  void free(ModelChunk chunk) {
    List<ModelChunk> region =
        regions.stream().filter(r -> r.contains(chunk)).findFirst().orElseThrow();
    chunk.allocated = false;
    int inner = region.indexOf(chunk) + (chunk.tag == Tag.LOWER ? 1 : -1);
    boolean atGap = inner < 0 || inner == region.size() || region.get(inner).tag != chunk.tag;
    if (options.partitioned() && atGap) {
      chunk.tag = Tag.CENTRAL_GAP;
    }
    merge(region, chunk);
  }

  private static void merge(List<ModelChunk> region, ModelChunk chunk) {
    int at = region.indexOf(chunk);
    if (at + 1 < region.size() && !region.get(at + 1).allocated) {
      absorb(chunk, region.remove(at + 1));
    }
    if (at > 0 && !region.get(at - 1).allocated) {
      absorb(region.get(at - 1), region.remove(at));
    }
  }

  private static void absorb(ModelChunk left, ModelChunk right) {
    left.bytes += right.bytes;
    left.tag = left.tag == right.tag ? left.tag : Tag.CENTRAL_GAP;
  }

  private long poolBytes() {
    return regions.stream().flatMap(List::stream).mapToLong(p -> p.bytes).sum();
  }

  /** All chunks, by region and address, as text. */
  String chunks() {
    return regions.toString();
  }

  private static long roundUp(long bytes) {
    return Math.ceilDiv(bytes, 256L) * 256;
  }
}
