package dev.vramscope.device;

/**
 * The device answers no call any more, as after a fault of a kernel or of the hardware: its memory
 * and what lay in it are gone for this process. The message has the first error.
 */
public final class DeviceLostException extends DeviceException {
  private static final long serialVersionUID = 1L;

  public DeviceLostException(String message) {
    super(message);
  }
}
