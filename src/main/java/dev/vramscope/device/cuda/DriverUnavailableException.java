package dev.vramscope.device.cuda;

/** There is no usable driver; {@link #status} has the reason. */
final class DriverUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient DriverStatus status;

  DriverUnavailableException(DriverStatus status) {
    super(status.text());
    this.status = status;
  }

  DriverStatus status() {
    return status;
  }
}
