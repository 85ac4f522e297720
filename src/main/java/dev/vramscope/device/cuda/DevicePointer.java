package dev.vramscope.device.cuda;

import jcuda.driver.CUdeviceptr;

/** A device address as a JCuda pointer; JCuda has no public conversion between the two. */
final class DevicePointer extends CUdeviceptr {
  /** An output parameter of a call that returns an address. */
  DevicePointer() {}

  private DevicePointer(long address) {
    super(new CUdeviceptr(), address);
  }

  static DevicePointer at(long address) {
    return new DevicePointer(address);
  }

  long value() {
    return getNativePointer() + getByteOffset();
  }
}
