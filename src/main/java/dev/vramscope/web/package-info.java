/**
 * The web interface: pages, the REST API, uploads and server-sent events.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.web.SnapshotInspection} is a decoded snapshot with its analyses,
 *       each computed on first use. {@link dev.vramscope.web.SnapshotCache} keeps as many as fit
 *       into a share of the heap.
 *   <li>A {@link dev.vramscope.web.WhatIfJob} runs the replays of one {@link
 *       dev.vramscope.web.WhatIfPlan}; {@link dev.vramscope.web.WhatIfJobs} limits how many run.
 *   <li>A page controller renders one template; an API controller returns JSON, text or binary
 *       {@link dev.vramscope.web.Columns}. Controllers contain no analysis: they look up and
 *       format.
 *   <li>Every error response is a {@link dev.vramscope.web.Problem} with the failure, its location
 *       and a remedy; only {@link dev.vramscope.web.ProblemAdvice} chooses its status.
 *   <li>Bytes become text only in {@link dev.vramscope.web.DisplayFormat} and the templates. The
 *       templates escape all text from files.
 *   <li>Allocator terms are defined in the {@link dev.vramscope.web.Glossary} and nowhere else.
 *   <li>{@link dev.vramscope.web.SecurityConfiguration} has the first filter of every request: host
 *       name, security headers, origin, session or access token.
 * </ul>
 */
@NullMarked
package dev.vramscope.web;

import org.jspecify.annotations.NullMarked;
