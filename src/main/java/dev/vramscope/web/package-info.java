/**
 * The door that people and programs use: pages, REST, and bytes as text.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>An {@link dev.vramscope.web.LoadedSnapshot} is a decoded snapshot with its analyses, each
 *       made once, when first asked for; {@link dev.vramscope.web.SnapshotCache} keeps as many open
 *       as fit a share of the heap.
 *   <li>A page controller answers one page and names its template; an API controller answers JSON,
 *       text or binary {@link dev.vramscope.web.Columns}. Neither computes: it looks up and shows.
 *   <li>A {@link dev.vramscope.web.Problem} is how every refusal looks, with what, where and what
 *       next; {@link dev.vramscope.web.ProblemAdvice} alone chooses its status.
 *   <li>Bytes become text only here, in {@link dev.vramscope.web.DisplayFormat} and the templates.
 *       Text from files is escaped by the templates, never joined into HTML.
 *   <li>The {@link dev.vramscope.web.AccessFilter} sees every request first: who may enter, and
 *       which headers every answer has.
 * </ul>
 */
@NullMarked
package dev.vramscope.web;

import org.jspecify.annotations.NullMarked;
