/**
 * The settings of a caching allocator: reads {@code PYTORCH_CUDA_ALLOC_CONF} as PyTorch 2.14 does,
 * mistakes and messages included.
 *
 * <p>{@code SharedSettingsReader} reads the keys of every accelerator, {@code DeviceSettingsReader}
 * those of CUDA; both write a {@code Configuration}. Depends on nothing else in the allocator.
 */
@NullMarked
package dev.vramscope.allocator.caching.configuration;

import org.jspecify.annotations.NullMarked;
