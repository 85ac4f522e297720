package dev.vramscope.live.latency;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import java.util.List;

/** Times calls of the driver. No memory remains allocated, even if a call fails. */
final class DriverLatency {
  private static final long MIB = 1L << 20;

  /** The first calls of a kind trigger initialization in the driver and in this process. */
  private static final int WARM_UP = 10;

  private final Device device;
  private final LatencyPlan plan;

  DriverLatency(Device device, LatencyPlan plan) {
    this.device = device;
    this.plan = plan;
  }

  /** Allocation, and free with idle streams. */
  List<LatencyDistribution> idle(long bytes) {
    DeviceMemory memory = device.memory();
    Stopwatch allocate = new Stopwatch();
    Stopwatch free = new Stopwatch();
    device.streams().synchronizeAll();
    for (int i = -WARM_UP; i < plan.driverSamples(); i++) {
      if (i == 0) {
        allocate.reset();
        free.reset();
      }
      allocate.begin();
      long address = memory.allocate(bytes);
      allocate.end();
      require(address, bytes);
      free.begin();
      memory.free(address);
      free.end();
    }
    return List.of(
        allocate.distribution(TimedOperation.DRIVER_ALLOCATE, bytes),
        free.distribution(TimedOperation.DRIVER_FREE_IDLE, bytes));
  }

  /** Free while a stream is busy. */
  List<LatencyDistribution> busy(long bytes) {
    DeviceMemory memory = device.memory();
    Stopwatch free = new Stopwatch();
    for (int i = 0; i < plan.busySamples(); i++) {
      long address = require(memory.allocate(bytes), bytes);
      try {
        device.work().spin(Streams.DEFAULT, plan.busyNanos());
      } finally {
        free.begin();
        memory.free(address);
        free.end();
      }
      device.streams().synchronizeAll();
    }
    return List.of(free.distribution(TimedOperation.DRIVER_FREE_BUSY, bytes));
  }

  /** Mapping and unmapping a page, each with the calls that always accompany it. */
  List<LatencyDistribution> mapping(long bytes) {
    VirtualMemory virtual = device.virtualMemory();
    Stopwatch map = new Stopwatch();
    Stopwatch unmap = new Stopwatch();
    long address = require(virtual.reserve(bytes), bytes);
    try {
      for (int i = -WARM_UP; i < plan.driverSamples(); i++) {
        if (i == 0) {
          map.reset();
          unmap.reset();
        }
        map.begin();
        long page = require(virtual.createPage(bytes), bytes);
        try {
          virtual.map(address, bytes, page);
          useMapped(address, bytes, map, unmap);
        } finally {
          virtual.releasePage(page);
        }
        unmap.end();
      }
    } finally {
      virtual.freeReservation(address, bytes);
    }
    return List.of(
        map.distribution(TimedOperation.DRIVER_MAP, bytes),
        unmap.distribution(TimedOperation.DRIVER_UNMAP, bytes));
  }

  /** From enabling access to unmapping. */
  private void useMapped(long address, long bytes, Stopwatch map, Stopwatch unmap) {
    try {
      device.virtualMemory().setAccess(address, bytes);
      map.end();
      unmap.begin();
      device.streams().synchronize(Streams.DEFAULT);
    } finally {
      device.virtualMemory().unmap(address, bytes);
    }
  }

  private long require(long result, long bytes) {
    if (result == 0) {
      throw new DeviceException(
          "%s has less than %d MiB free for the measurement; close other users of the device first."
              .formatted(device.name(), bytes / MIB));
    }
    return result;
  }
}
