/*
 * The method numbers that this JVM has given out. A JVM takes any number for a method and reads where it
 * points, so a wrong one would end the process: only numbers in here are asked about. Thread-safe.
 */
#ifndef VRAMSCOPE_METHODS_H
#define VRAMSCOPE_METHODS_H

#include <stdbool.h>
#include <stdint.h>

/* False when the host has no memory left: then these methods stay unknown. */
bool methods_add(const uint64_t *methods, int count);
bool methods_contain(uint64_t method);

#endif
