package dev.vramscope.device.cuda;

/** There is no usable driver; says what there is instead. */
final class DriverTrouble extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient DriverStatus status;

  DriverTrouble(DriverStatus status) {
    super(status.text());
    this.status = status;
  }

  DriverStatus status() {
    return status;
  }
}
