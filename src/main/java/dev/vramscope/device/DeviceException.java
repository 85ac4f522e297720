package dev.vramscope.device;

/**
 * The device refused a call for another reason than missing memory; the message is the driver's.
 */
public sealed class DeviceException extends RuntimeException permits DeviceLostException {
  private static final long serialVersionUID = 1L;

  public DeviceException(String message) {
    super(message);
  }
}
