/**
 * What a program that writes about memory gives: the form of its messages, and the conclusions from
 * them.
 */
@NullMarked
package dev.vramscope.explain.producer;

import org.jspecify.annotations.NullMarked;
