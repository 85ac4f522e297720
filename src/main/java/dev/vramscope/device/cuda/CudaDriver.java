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
 * Access to the GPUs of this machine. The driver is loaded at first use; that there is none is
 * reported as a status, not as an exception. Thread-safe.
 */
public final class CudaDriver {
  /** The system property with the driver's library, for example that of the emulated driver. */
  public static final String LIBRARY_PROPERTY = "vramscope.cuda.library";

  /** The environment variable for the same; the property takes precedence. */
  public static final String LIBRARY_VARIABLE = "VRAMSCOPE_CUDA_LIBRARY";

  private static final String USUAL_LIBRARY = "libcuda.so.1";
  private static final int NAME_BYTES = 256;
  private static final int PCI_BUS_ID_BYTES = 32;
  private static final Logger LOG = LoggerFactory.getLogger(CudaDriver.class);

  private final String path;
  private @Nullable DriverStatus status;
  private @Nullable DriverLibrary library;

  /**
   * The driver in a given library. A process can use only one.
   *
   * @param path a file, or the name of a library that the dynamic linker finds
   */
  public CudaDriver(String path) {
    this.path = path.contains("/") ? Path.of(path).toAbsolutePath().normalize().toString() : path;
  }

  /** The driver named by the property or the environment, by default that of this machine. */
  public static CudaDriver configured() {
    String environment = System.getenv(LIBRARY_VARIABLE);
    return new CudaDriver(
        System.getProperty(LIBRARY_PROPERTY, environment == null ? USUAL_LIBRARY : environment));
  }

  /** The state of the driver, determined at the first call. */
  public synchronized DriverStatus status() {
    return status == null ? refresh() : status;
  }

  /** Determines the state again, for example after a driver was installed. */
  public synchronized DriverStatus refresh() {
    DriverStatus newStatus;
    try {
      library = DriverLibrary.open(path);
      newStatus = new DriverStatus.Ready(library.version(), devices(), library.isEmulated());
    } catch (DriverUnavailableException e) {
      library = null;
      newStatus = e.status();
    }
    status = newStatus;
    LOG.info("{}", newStatus.text());
    return newStatus;
  }

  /**
   * Opens a device.
   *
   * @param ordinal its number, starting at 0
   * @throws DeviceException if there is no such device, or it cannot be used
   */
  public synchronized CudaDevice open(int ordinal) {
    if (!(status() instanceof DriverStatus.Ready ready) || library == null) {
      throw new DeviceException(status().text());
    }
    if (ordinal < 0 || ordinal >= ready.devices().size()) {
      throw new DeviceException("There is no device cuda:%d. %s".formatted(ordinal, ready.text()));
    }
    return CudaDevice.open(library, ready.devices().get(ordinal));
  }

  private static List<CudaDeviceInfo> devices() throws DriverUnavailableException {
    int initialized = JCudaDriver.cuInit(0);
    if (initialized == CUresult.CUDA_ERROR_NO_DEVICE) {
      throw new DriverUnavailableException(
          new DriverStatus.Missing(
              "There is a CUDA driver, but no device that it can use.",
              "Check nvidia-smi, and CUDA_VISIBLE_DEVICES if it is set; simulated devices work"
                  + " without a GPU."));
    }
    require(initialized, "cuInit");
    int[] count = new int[1];
    require(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    List<CudaDeviceInfo> devices = new ArrayList<>();
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      devices.add(device(ordinal));
    }
    return devices;
  }

  private static CudaDeviceInfo device(int ordinal) throws DriverUnavailableException {
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
    return new CudaDeviceInfo(
        ordinal,
        new String(name, 0, end, StandardCharsets.UTF_8),
        bytes[0],
        new CudaVersion(
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)),
        pciBusId(device));
  }

  /** Empty if not available: the device is usable without it. */
  private static String pciBusId(CUdevice device) {
    String[] id = new String[1];
    int result = JCudaDriver.cuDeviceGetPCIBusId(id, PCI_BUS_ID_BYTES, device);
    return result == CUresult.CUDA_SUCCESS ? id[0] : "";
  }

  private static int attribute(CUdevice device, int attribute) throws DriverUnavailableException {
    int[] value = new int[1];
    require(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device),
        "cuDeviceGetAttribute " + attribute);
    return value[0];
  }

  private static void require(int result, String call) throws DriverUnavailableException {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DriverUnavailableException(new DriverStatus.Failed(call, CudaError.text(result)));
    }
  }
}
