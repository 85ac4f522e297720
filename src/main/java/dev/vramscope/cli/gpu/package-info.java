/**
 * Checks that need a machine with a GPU. {@code gpu-check} uses a running service as a client, and
 * the device directly.
 *
 * <p>A <b>check</b> has a name and an <b>outcome</b>: passed, failed or skipped, with a sentence
 * and named figures. A check that cannot run is skipped with the reason, never passed.
 */
@NullMarked
package dev.vramscope.cli.gpu;

import org.jspecify.annotations.NullMarked;
