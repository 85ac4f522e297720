package dev.vramscope.model;

/** The size class of a segment: requests up to 1 MiB use small segments, others large ones. */
public enum PoolKind {
  SMALL,
  LARGE
}
