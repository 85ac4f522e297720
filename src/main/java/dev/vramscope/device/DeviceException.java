package dev.vramscope.device;

/**
 * A call failed for a reason other than lack of memory. The message contains the driver's error.
 */
public sealed class DeviceException extends RuntimeException permits DeviceLostException {
  private static final long serialVersionUID = 1L;

  public DeviceException(String message) {
    super(message);
  }
}
