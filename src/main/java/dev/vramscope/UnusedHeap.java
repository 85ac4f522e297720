package dev.vramscope;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives memory that is not used back to the operating system while the service is quiet. Without
 * this, Java collects garbage only when it needs room, so that a quiet service keeps all memory
 * that its most expensive minute took.
 */
final class UnusedHeap {
  /** A collection in a quiet service takes a fraction of a second, in the background. */
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  /** Limits of the free part of the heap after a collection, in percent; Java's are 40 and 70. */
  private static final Map<String, String> FREE_PERCENT =
      Map.of("MinHeapFreeRatio", "20", "MaxHeapFreeRatio", "40");

  /** The serial collector gives 0, 10, 40 and 100 percent back in consecutive collections. */
  private static final int SERIAL_COLLECTIONS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(UnusedHeap.class);

  private UnusedHeap() {}

  /** Begins; options of the command line remain as they are. */
  static void giveBack() {
    giveBack(INTERVAL);
  }

  static void giveBack(Duration interval) {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    set(machine, "G1PeriodicGCInterval", String.valueOf(interval.toMillis()));
    FREE_PERCENT.forEach((name, percent) -> set(machine, name, percent));
    boolean isCollecting = machine.getVMOption("UseSerialGC").getValue().equals("true");
    Thread.ofPlatform().daemon().name("unused-heap").start(() -> run(interval, isCollecting));
  }

  /** Options of the command line remain; Java may refuse the others beside them. */
  private static void set(HotSpotDiagnosticMXBean machine, String name, String value) {
    boolean isChosen = machine.getVMOption(name).getOrigin() == VMOption.Origin.VM_CREATION;
    try {
      if (!isChosen) {
        machine.setVMOption(name, value);
      }
    } catch (IllegalArgumentException refused) {
      LOG.debug("{} remains as it is", name, refused);
    }
  }

  /**
   * Gives native memory back, too, and does what G1 does itself: it collects after an interval
   * without any collection.
   */
  private static void run(Duration interval, boolean isCollecting) {
    try {
      long before = collections();
      boolean isCollected = true; // Nothing has been used yet.
      while (true) {
        Thread.sleep(interval);
        boolean isQuiet = collections() == before;
        if (isCollecting && isQuiet && !isCollected) {
          for (int i = 0; i < SERIAL_COLLECTIONS; i++) {
            System.gc();
          }
        }
        trimNativeHeap();
        isCollected = isQuiet;
        before = collections();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** The C library keeps what compilers, collectors and threads have freed; a no-op elsewhere. */
  private static void trimNativeHeap() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              new Object[0],
              new String[0]);
    } catch (JMException unavailable) {
      // Another Java virtual machine, or another C library.
    }
  }

  private static long collections() {
    List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }
}
