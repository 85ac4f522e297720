/**
 * What the text of a log says about failed requests, and what follows from it.
 *
 * <p>A {@link dev.vramscope.explain.reading.LogReader} finds messages wherever the text is wrapped,
 * cut, quoted or prefixed by loggers, and also where several processes write into one log. Each
 * becomes a {@link dev.vramscope.explain.message.LogMessage} with the fields that are written in
 * it. An {@link dev.vramscope.explain.LogExplanation} draws conclusions; it states what the text
 * leaves open.
 */
@NullMarked
package dev.vramscope.explain;

import org.jspecify.annotations.NullMarked;
