package dev.vramscope.device;

/**
 * Every further call to the device fails, as after a kernel or hardware fault: its memory and the
 * contents are lost for this process. The message contains the first error.
 */
public final class DeviceLostException extends DeviceException {
  private static final long serialVersionUID = 1L;

  public DeviceLostException(String message) {
    super(message);
  }
}
