/**
 * Verbose logs of the BFC allocator of XLA and TensorFlow ({@code TF_CPP_VMODULE=bfc_allocator=3}
 * to 5), as a trace: every request with its size and address, every free, the regions of the pool,
 * and the dump of a failed request.
 *
 * <pre>
 *   level   requests                    frees               regions
 *   1       –                           –                   address and size
 *   3       size, address, failures     size                the same
 *   4, 5    the same, stack             size, address       the same
 * </pre>
 *
 * At level 3 a free says only the size that was requested. Which block it frees follows from what
 * comes after it: memory that is allocated again was free before. Before 2022 the requests were
 * written at level 1, when they began and without an address.
 */
@NullMarked
package dev.vramscope.format.bfclog;

import org.jspecify.annotations.NullMarked;
