package dev.vramscope.model;

import org.jspecify.annotations.Nullable;

/**
 * One frame of a call stack.
 *
 * @param name function name; C++ ones can be thousands of characters long
 * @param file source file, {@code "??"} or empty if unknown
 * @param line line number, 0 if unknown (PyTorch also writes 2^64-1)
 * @param fx the node of the traced graph, if the snapshot was augmented with it
 */
public record Frame(String name, String file, int line, @Nullable FxNode fx) {
  public Frame(String name, String file, int line) {
    this(name, file, line, null);
  }
}
