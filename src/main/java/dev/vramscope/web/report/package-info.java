/** Reports on snapshots, and explanations of logs. */
@NullMarked
package dev.vramscope.web.report;

import org.jspecify.annotations.NullMarked;
