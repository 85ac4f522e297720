package dev.vramscope.replay;

import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.device.sim.SimStreams;
import dev.vramscope.device.sim.SimVirtualMemory;

/** A simulated device that traces run on. */
record SimTraceDevice(SimDevice device) implements TraceDevice {
  @Override
  public void advance(int stream, long events) {
    device.streams().advance(stream, events);
  }

  @Override
  public void setExternalBytes(long bytes) {
    device.setExternalBytes(bytes);
  }

  @Override
  public long usedBytes() {
    return device.usedBytes();
  }

  @Override
  public DeviceCalls calls() {
    SimVirtualMemory virtual = device.virtualMemory();
    SimStreams streams = device.streams();
    return new DeviceCalls(
        device.memory().allocateCount(),
        device.memory().freeCount(),
        virtual.createCount(),
        virtual.releaseCount(),
        virtual.mapCount(),
        virtual.unmapCount(),
        virtual.reserveCount(),
        virtual.freeReservationCount(),
        streams.recordCount(),
        streams.queryCount(),
        streams.synchronizeEventCount());
  }
}
