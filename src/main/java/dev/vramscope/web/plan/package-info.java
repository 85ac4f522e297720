/** What a program needs at sizes that were not run. */
@NullMarked
package dev.vramscope.web.plan;

import org.jspecify.annotations.NullMarked;
