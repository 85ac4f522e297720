package dev.vramscope.device.cuda;

import dev.vramscope.device.ProcessMemory;
import java.util.List;

/** Who else is on a card. */
interface ProcessList {
  /** What each process holds; empty where that cannot be told. */
  List<ProcessMemory> of(CudaCard card);
}
