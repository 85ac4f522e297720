package dev.vramscope.explain.producer;

import dev.vramscope.model.Certainty;

/** A sentence about a failed request, and how sure it is. */
public record Statement(Certainty certainty, String text) {}
