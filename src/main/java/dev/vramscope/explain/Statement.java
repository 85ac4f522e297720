package dev.vramscope.explain;

/** A sentence about a failed request, and how sure it is. */
public record Statement(Certainty certainty, String text) {}
