package dev.vramscope.model;

/** The size class of a segment: requests up to 1 MiB live in small ones, others in large ones. */
public enum PoolKind {
  SMALL,
  LARGE
}
