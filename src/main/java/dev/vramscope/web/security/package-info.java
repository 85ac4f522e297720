/**
 * Who may send requests: host names, origins, the access token, sessions.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.security.SecurityConfiguration} has the first filters of every
 *       request.
 *   <li>Without a token the service accepts requests of its own machine only ({@link
 *       dev.vramscope.web.security.ListenAddressCheck}).
 * </ul>
 */
@NullMarked
package dev.vramscope.web.security;

import org.jspecify.annotations.NullMarked;
