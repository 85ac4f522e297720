package dev.vramscope.analysis;

/** Stands for a body that is being written; removed before this branch is merged for good. */
final class Unbuilt {
  private Unbuilt() {}

  @SuppressWarnings("TypeParameterUnusedInFormals")
  static <T> T value() {
    if (Unbuilt.class.getName().isEmpty()) {
      return value();
    }
    throw new UnsupportedOperationException("not built yet");
  }
}
