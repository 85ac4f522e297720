/**
 * What only a machine with a GPU can show: {@code gpu-check} uses a running service and the card as
 * a client would, and says what held.
 *
 * <p>A <b>check</b> has a name and ends with an <b>outcome</b>: passed, failed or skipped, a
 * sentence, and figures by name. A check that cannot be done here is skipped with its reason, never
 * passed.
 */
@NullMarked
package dev.vramscope.cli.gpu;

import org.jspecify.annotations.NullMarked;
