/**
 * What texts from outside a snapshot say about its device: the message of a failed request in a
 * log, the output of {@code nvidia-smi}, or the device's name.
 *
 * <p>Numbers in such texts are rounded. A {@link dev.vramscope.evidence.Quantity} states by how
 * much. Parsing takes what it recognizes, wherever the text is wrapped or prefixed by a logger, and
 * leaves the rest unknown.
 */
@NullMarked
package dev.vramscope.evidence;

import org.jspecify.annotations.NullMarked;
