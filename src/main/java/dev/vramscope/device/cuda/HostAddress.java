package dev.vramscope.device.cuda;

import java.lang.foreign.MemorySegment;
import jcuda.Pointer;

/**
 * An address in this process as JCuda wants it. Given an array instead, JCuda would hold up garbage
 * collection for as long as the call lasts.
 */
final class HostAddress extends Pointer {
  private HostAddress(long address) {
    super(address);
  }

  static HostAddress at(long address) {
    return new HostAddress(address);
  }

  static HostAddress of(MemorySegment memory) {
    return new HostAddress(memory.address());
  }
}
