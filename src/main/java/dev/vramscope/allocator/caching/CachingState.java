package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.allocator.ReleaseRanking;
import dev.vramscope.allocator.caching.blocks.Blocks;
import dev.vramscope.allocator.caching.blocks.SegmentLayout;
import dev.vramscope.allocator.caching.blocks.Segments;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.statistics.Statistics;
import dev.vramscope.device.Device;

/**
 * The state of one allocator, shared by the classes that change it. All of it is guarded by the
 * lock. Classes on the allocation path copy what they use into fields of their own.
 */
final class CachingState {
  final AllocatorLock lock = new AllocatorLock();
  final Device device;
  final Client client;
  final Configuration configuration = new Configuration();
  final MemoryLimit limit;
  final Blocks blocks = new Blocks();
  final Segments segments = new Segments();
  final SegmentLayout layout = new SegmentLayout(blocks, segments);
  final Pools pools;
  final StreamUses uses = new StreamUses(blocks);
  final Statistics statistics;
  final Listeners listeners = new Listeners();
  final ReleaseRanking ranking = new ReleaseRanking(blocks);

  /**
   * Without segments.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if the settings
   *     are not accepted
   */
  CachingState(Device device, CachingOptions options) {
    this.device = device;
    client = options.client();
    configuration.readInitial(options.settings(), options.deviceSettings());
    limit = new MemoryLimit(device.memory().totalBytes());
    limit.setFraction(configuration.perProcessMemoryFraction());
    statistics = new Statistics(configuration.maxSplitBytes());
    pools = new Pools(blocks, options.tieBreak());
  }
}
