/**
 * A real GPU, by CUDA's driver API.
 *
 * <ul>
 *   <li>{@link dev.vramscope.device.cuda.CudaDriver} is the way in: it says whether this machine
 *       has a driver and cards, and opens one.
 *   <li>The binding is JCuda, only in this package. A few calls that JCuda gets wrong go straight
 *       to the library ({@code DirectCalls}; docs/decisions/0006).
 *   <li>A <b>call</b> to the driver is made by {@code CudaContext}, which makes the card's primary
 *       context current first, checks the answer, and knows whether the card is lost.
 *   <li>A card is <b>lost</b> when the driver answered with an error after which every call answers
 *       it again. From then on each call throws the first {@link
 *       dev.vramscope.device.DeviceLostException}, without asking the driver.
 * </ul>
 */
@NullMarked
package dev.vramscope.device.cuda;

import org.jspecify.annotations.NullMarked;
