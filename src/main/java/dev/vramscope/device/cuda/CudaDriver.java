package dev.vramscope.device.cuda;

import dev.vramscope.device.DeviceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the cards of this machine. The driver is looked for once; that there is none is an
 * answer, not a failure. Safe for use by several threads.
 */
public final class CudaDriver {
  /** Names the driver's library; chooses the emulated driver, for one. */
  public static final String LIBRARY_PROPERTY = "vramscope.cuda.library";

  /** The same, from the environment; the property wins. */
  public static final String LIBRARY_VARIABLE = "VRAMSCOPE_CUDA_LIBRARY";

  private static final String USUAL_LIBRARY = "libcuda.so.1";
  private static final int NAME_BYTES = 256;
  private static final int PCI_BUS_ID_BYTES = 32;
  private static final Logger LOG = LoggerFactory.getLogger(CudaDriver.class);

  private final String path;
  private @Nullable DriverStatus status;
  private @Nullable DriverLibrary library;

  /**
   * The driver in a certain library. A process can use one only.
   *
   * @param path a file, or the name of a library that the dynamic linker knows
   */
  public CudaDriver(String path) {
    this.path = path.contains("/") ? Path.of(path).toAbsolutePath().normalize().toString() : path;
  }

  /** The driver of this machine, or the one that the property or the environment names. */
  public static CudaDriver configured() {
    String environment = System.getenv(LIBRARY_VARIABLE);
    return new CudaDriver(
        System.getProperty(LIBRARY_PROPERTY, environment == null ? USUAL_LIBRARY : environment));
  }

  /** What there is. Looks the first time, then remembers. */
  public synchronized DriverStatus status() {
    return status == null ? lookAgain() : status;
  }

  /** Looks again, as after the driver was installed or its cards came back. */
  public synchronized DriverStatus lookAgain() {
    DriverStatus found;
    try {
      library = DriverLibrary.open(path);
      found = new DriverStatus.Ready(library.version(), cards(), library.isEmulated());
    } catch (DriverTrouble trouble) {
      library = null;
      found = trouble.status();
    }
    status = found;
    LOG.info("{}", found.text());
    return found;
  }

  /**
   * Opens a card.
   *
   * @param ordinal its number, from 0
   * @throws DeviceException if there is no such card, or it cannot be used
   */
  public synchronized CudaDevice open(int ordinal) {
    if (!(status() instanceof DriverStatus.Ready ready) || library == null) {
      throw new DeviceException(status().text());
    }
    if (ordinal < 0 || ordinal >= ready.cards().size()) {
      throw new DeviceException(
          "There is no card cuda:%d here. %s".formatted(ordinal, ready.text()));
    }
    return CudaDevice.open(library, ready.cards().get(ordinal));
  }

  private static List<CudaCard> cards() throws DriverTrouble {
    int initialized = JCudaDriver.cuInit(0);
    if (initialized == CUresult.CUDA_ERROR_NO_DEVICE) {
      throw new DriverTrouble(
          new DriverStatus.Missing(
              "There is a CUDA driver, but no card that it can use.",
              "Check nvidia-smi, and CUDA_VISIBLE_DEVICES if it is set; simulated cards work"
                  + " without."));
    }
    require(initialized, "cuInit");
    int[] count = new int[1];
    require(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    List<CudaCard> cards = new ArrayList<>();
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      cards.add(card(ordinal));
    }
    return cards;
  }

  private static CudaCard card(int ordinal) throws DriverTrouble {
    CUdevice device = new CUdevice();
    require(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet");
    byte[] name = new byte[NAME_BYTES];
    require(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
    int end = 0;
    while (end < name.length && name[end] != 0) {
      end++;
    }
    long[] bytes = new long[1];
    require(JCudaDriver.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem");
    return new CudaCard(
        ordinal,
        new String(name, 0, end, StandardCharsets.UTF_8),
        bytes[0],
        new CudaVersion(
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)),
        pciBusId(device));
  }

  /** A card is usable without. */
  private static String pciBusId(CUdevice device) {
    String[] id = new String[1];
    int result = JCudaDriver.cuDeviceGetPCIBusId(id, PCI_BUS_ID_BYTES, device);
    return result == CUresult.CUDA_SUCCESS ? id[0] : "";
  }

  private static int attribute(CUdevice device, int attribute) throws DriverTrouble {
    int[] value = new int[1];
    require(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device),
        "cuDeviceGetAttribute " + attribute);
    return value[0];
  }

  private static void require(int result, String call) throws DriverTrouble {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DriverTrouble(new DriverStatus.Failed(call, CudaError.text(result)));
    }
  }
}
