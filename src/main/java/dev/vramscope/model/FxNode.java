package dev.vramscope.model;

/** The node of a traced FX graph that a frame belongs to; PyTorch adds it on request. */
public record FxNode(String op, String name, String target, String originalTrace) {}
