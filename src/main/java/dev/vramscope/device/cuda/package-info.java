/**
 * Real GPUs, used through the CUDA driver API.
 *
 * <ul>
 *   <li>{@link dev.vramscope.device.cuda.CudaDriver} is the entry point: it reports whether this
 *       machine has a driver and devices, and opens a device.
 *   <li>The binding is JCuda, which is used only in this package. A few calls that JCuda gets wrong
 *       are made directly to the driver's library ({@code DirectCalls}; docs/decisions/0006).
 *   <li>Calls to the driver go through {@code CudaContext}, which makes the device's primary
 *       context current first, checks the result, and remembers whether the device is lost.
 *   <li>A device is <b>lost</b> after an error that every further call would return again. From
 *       then on each call throws the first {@link dev.vramscope.device.DeviceLostException} without
 *       calling the driver.
 * </ul>
 */
@NullMarked
package dev.vramscope.device.cuda;

import org.jspecify.annotations.NullMarked;
