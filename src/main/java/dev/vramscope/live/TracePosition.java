package dev.vramscope.live;

/**
 * A failed request in the trace of a stored snapshot.
 *
 * @param snapshot the id of the snapshot
 * @param event the row in the trace, from 0
 * @param oom its number among the failed requests of the trace, from 0
 */
public record TracePosition(String snapshot, int event, int oom) {}
