package dev.vramscope.store;

/**
 * A stored snapshot of which a part is damaged.
 *
 * @param id of the snapshot
 * @param name its display name; empty if it is lost
 * @param what the damage, and what still works; sentences
 */
public record Damage(String id, String name, String what) {}
