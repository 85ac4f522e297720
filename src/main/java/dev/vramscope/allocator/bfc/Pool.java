package dev.vramscope.allocator.bfc;

import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.device.SubAllocator;

/** The components of one allocator; all are guarded by its lock. */
final class Pool {
  final ChunkTable chunks = new ChunkTable();
  final Regions regions = new Regions(chunks);
  final FreeChunks free = new FreeChunks(chunks, regions);
  final ReleaseRanking ranking = new ReleaseRanking(chunks);
  final ChunkScopes scopes = new ChunkScopes();
  final Statistics statistics = new Statistics();
  final Splitting splitting;
  final Coalescing coalescing;
  final Extension extension;
  final RegionRelease release;
  final TimedFrees timedFrees;

  Pool(BfcOptions options, SubAllocator source, Listeners listeners) {
    splitting = new Splitting(chunks, free, options.maxInternalFragmentationBytes());
    coalescing = new Coalescing(chunks, free, ranking, options.partitioned());
    extension = new Extension(options, source, chunks, regions, coalescing, listeners);
    release = new RegionRelease(options, source, chunks, regions, free, extension, listeners);
    timedFrees = new TimedFrees(chunks, free, coalescing);
  }
}
