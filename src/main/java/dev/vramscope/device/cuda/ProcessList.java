package dev.vramscope.device.cuda;

import dev.vramscope.device.ProcessMemory;
import java.util.List;

/** The source of the processes on a device. */
interface ProcessList {
  /** The memory used by each process; empty if not available. */
  List<ProcessMemory> of(CudaDeviceInfo device);
}
