/**
 * The web interface: pages, the REST API, uploads and server-sent events. One package for each
 * feature; its controllers, views, template and script have its name.
 *
 * <ul>
 *   <li>A page controller ({@code ...Page}) renders one template; an API controller ({@code
 *       ...Api}) returns JSON, text or binary columns. Controllers contain no analysis: they ask
 *       the {@link dev.vramscope.inspection.SnapshotInspection} or, for what they alone show, an
 *       analysis, and format.
 *   <li>Features do not know each other, but for those that show a part of another one. {@code
 *       problem}, {@code display}, {@code connection}, {@code request} and {@code snapshot} are
 *       below all of them.
 *   <li>This package itself puts the features together: {@link dev.vramscope.web.WebConfiguration}.
 * </ul>
 */
@NullMarked
package dev.vramscope.web;

import org.jspecify.annotations.NullMarked;
