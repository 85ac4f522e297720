/**
 * The dashboard with its upload form, uploads over REST, and the condition of the service.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.uploads.UploadApi} receives files; what is in them is for {@code
 *       intake}.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.uploads;

import org.jspecify.annotations.NullMarked;
