package dev.vramscope.live.lab;

import dev.vramscope.allocator.RequestStep;

/**
 * A step of a request that no free block served at first.
 *
 * @param isEnough whether it served the request, or made it worth trying again
 * @param bytes what was searched for, acquired, compared or released
 */
public record Attempt(RequestStep step, boolean isEnough, long bytes) {}
