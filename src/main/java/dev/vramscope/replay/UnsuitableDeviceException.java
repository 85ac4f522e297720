package dev.vramscope.replay;

/** A device cannot run a golden case, for example because it is too small. The case is skipped. */
final class UnsuitableDeviceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnsuitableDeviceException(String message) {
    super(message);
  }
}
