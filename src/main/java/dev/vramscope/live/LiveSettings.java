package dev.vramscope.live;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The limits of hosted allocators.
 *
 * @param maxAllocators allocators hosted at the same time
 * @param maxSimulatedDevice size of a simulated device; it uses no memory; the limit prevents
 *     overflow
 * @param maxBlocks blocks that REST clients of one allocator hold at the same time
 * @param maxStreams streams of one allocator that its REST clients may use
 * @param maxViewers browsers connected to live pages at the same time, over all allocators
 * @param maxEvents history of one allocator, in events of 40 bytes
 * @param snapshotInterval shortest time between two stored failure snapshots of one allocator; the
 *     other incidents are counted
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
