package dev.vramscope.postmortem;

import dev.vramscope.model.Block;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;

/**
 * A block that held no client's data when a request failed.
 *
 * @param missingBytes request less block, 0 when large enough
 */
public record Candidate(
    Block block,
    long segmentAddress,
    long stream,
    PoolKind kind,
    PoolId pool,
    boolean expandable,
    long missingBytes,
    Refusal refusal) {}
