package dev.vramscope.live;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The bounds on what is hosted.
 *
 * @param maxAllocators hosted at the same time
 * @param maxSimulatedDevice size of a simulated card; it costs no memory, but arithmetic has an end
 * @param maxBlocks blocks that clients of one allocator's REST interface hold at the same time
 * @param maxStreams streams of one allocator that its REST clients may name
 * @param maxViewers browsers that look at live pages at the same time, over all allocators
 * @param maxEvents history of one allocator, in events of 40 bytes
 * @param snapshotInterval at most one snapshot is stored in this time for the incidents of one
 *     allocator, the others are counted
 */
@ConfigurationProperties("vramscope.live")
public record LiveSettings(
    @DefaultValue("16") int maxAllocators,
    @DefaultValue("1TB") DataSize maxSimulatedDevice,
    @DefaultValue("100000") int maxBlocks,
    @DefaultValue("64") int maxStreams,
    @DefaultValue("50") int maxViewers,
    @DefaultValue("1000000") int maxEvents,
    @DefaultValue("30s") Duration snapshotInterval) {}
