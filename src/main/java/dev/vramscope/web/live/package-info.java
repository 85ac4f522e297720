/** Hosted allocators: pages, REST, workloads, the stream of their events, latencies. */
@NullMarked
package dev.vramscope.web.live;

import org.jspecify.annotations.NullMarked;
