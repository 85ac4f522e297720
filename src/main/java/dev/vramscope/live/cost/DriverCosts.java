package dev.vramscope.live.cost;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.DeviceMemory;
import dev.vramscope.device.Streams;
import dev.vramscope.device.VirtualMemory;
import java.util.List;

/** Times the driver's own calls. Nothing stays allocated, also when one of them fails. */
final class DriverCosts {
  private static final long MIB = 1L << 20;

  /** The first calls of a kind make the driver and this process set things up. */
  private static final int WARM_UP = 10;

  private final Device device;
  private final CostPlan plan;

  DriverCosts(Device device, CostPlan plan) {
    this.device = device;
    this.plan = plan;
  }

  /** Allocating, and freeing with idle streams. */
  List<CostDistribution> idle(long bytes) {
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
        allocate.distribution(CostOperation.DRIVER_ALLOCATE, bytes),
        free.distribution(CostOperation.DRIVER_FREE_IDLE, bytes));
  }

  /** Freeing while a stream is busy with something else. */
  List<CostDistribution> busy(long bytes) {
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
    return List.of(free.distribution(CostOperation.DRIVER_FREE_BUSY, bytes));
  }

  /** Mapping and unmapping a page, each with the calls that always go with it. */
  List<CostDistribution> mapping(long bytes) {
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
        map.distribution(CostOperation.DRIVER_MAP, bytes),
        unmap.distribution(CostOperation.DRIVER_UNMAP, bytes));
  }

  /** From the mapping's access to its end. */
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

  private long require(long given, long bytes) {
    if (given == 0) {
      throw new DeviceException(
          "%s gave no %d MiB to measure with; close what uses it first."
              .formatted(device.name(), bytes / MIB));
    }
    return given;
  }
}
