package dev.vramscope.device.cuda;

import jcuda.driver.CUdeviceptr;

/** An address as JCuda wants it; it has no public way from a number to a pointer and back. */
final class DeviceAddress extends CUdeviceptr {
  /** To be filled by a call that gives an address. */
  DeviceAddress() {}

  private DeviceAddress(long address) {
    super(new CUdeviceptr(), address);
  }

  static DeviceAddress at(long address) {
    return new DeviceAddress(address);
  }

  long value() {
    return getNativePointer() + getByteOffset();
  }
}
