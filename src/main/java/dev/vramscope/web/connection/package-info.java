/**
 * The connections of clients: how many one address may open, and how long one may keep the server
 * waiting.
 *
 * <p>Terms:
 *
 * <ul>
 *   <li>A connection is <b>in service</b> from the complete head of a request until its response is
 *       written. It then occupies a thread, and often a file and buffers.
 *   <li>It is <b>stalled</b> while its thread waits for the client to send or to receive.
 *   <li>It is <b>ended</b> when the server stops waiting: a request body then has an early end, and
 *       the thread responds with the reason. A response that the client does not receive is cut.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.connection;

import org.jspecify.annotations.NullMarked;
