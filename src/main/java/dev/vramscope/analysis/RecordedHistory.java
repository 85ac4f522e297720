package dev.vramscope.analysis;

/** What the trace of a device says about the time that it covers. */
public record RecordedHistory(Lifetimes lifetimes, ActiveBytes active, Steps steps) {}
