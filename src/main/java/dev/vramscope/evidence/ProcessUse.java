package dev.vramscope.evidence;

/**
 * Device memory that a process uses, as the driver counts it: with its context and libraries.
 *
 * @param pid its number, in the namespace of the program that wrote the text
 * @param name the name of its program; empty if the text does not have it
 */
public record ProcessUse(long pid, String name, Quantity memory) {}
