package dev.vramscope.device.cuda;

import java.lang.foreign.MemorySegment;
import jcuda.Pointer;

/**
 * A host address as a JCuda pointer. With an array instead, JCuda would block garbage collection
 * for the duration of the call.
 */
final class HostPointer extends Pointer {
  private HostPointer(long address) {
    super(address);
  }

  static HostPointer at(long address) {
    return new HostPointer(address);
  }

  static HostPointer of(MemorySegment memory) {
    return new HostPointer(memory.address());
  }
}
