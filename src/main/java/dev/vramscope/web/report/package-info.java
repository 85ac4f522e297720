/** Reports on snapshots and on logs, as documents. */
@NullMarked
package dev.vramscope.web.report;

import org.jspecify.annotations.NullMarked;
