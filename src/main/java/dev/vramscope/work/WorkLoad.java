package dev.vramscope.work;

/**
 * The tasks of one kind.
 *
 * @param started tasks that have begun and not ended
 * @param waiting tasks that have not begun
 */
public record WorkLoad(WorkKind kind, int started, int waiting) {}
