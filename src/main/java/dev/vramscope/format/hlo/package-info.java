/**
 * Texts that XLA writes about a compiled program with {@code --xla_dump_to}, and the texts of JAX's
 * {@code memory_analysis()} and {@code cost_analysis()}.
 *
 * <p>The files of a program are joined by the names of their modules. Several files in one text are
 * separated by lines {@code ==> NAME <==}, as {@code tail -n +1 FILES} prints them.
 */
@NullMarked
package dev.vramscope.format.hlo;

import org.jspecify.annotations.NullMarked;
