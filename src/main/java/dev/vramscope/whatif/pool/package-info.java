/**
 * What a BFC allocator would have made of a failed request if its pool had been another one: the
 * allocator of this service gets the chunks in use and then the request.
 */
@NullMarked
package dev.vramscope.whatif.pool;

import org.jspecify.annotations.NullMarked;
