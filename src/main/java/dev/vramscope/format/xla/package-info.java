/**
 * Files of XLA, JAX and TensorFlow: device memory profiles, and dumps of the BFC allocator.
 *
 * <p>The protocol buffers are read with the messages' field numbers, without generated code: two
 * messages with a dozen fields. Every length is checked by protobuf's reader, and every count
 * against {@link dev.vramscope.format.ReadLimits}.
 */
@NullMarked
package dev.vramscope.format.xla;

import org.jspecify.annotations.NullMarked;
