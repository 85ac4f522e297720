package dev.vramscope.live.lab;

/**
 * An event of the allocator, as its history records it.
 *
 * @param action its name in PyTorch's traces
 */
public record ScriptEvent(String action, long address, long bytes, int stream) {}
