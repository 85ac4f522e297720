/* Minimal test support: a test is a function; a failed check prints its location and exits with 1. */
#ifndef VRAMSCOPE_CHECK_H
#define VRAMSCOPE_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(actual, expected) \
  check_equal((uint64_t)(actual), (uint64_t)(expected), #actual, #expected, __FILE__, __LINE__)
#define RUN(test) (printf("%s\n", #test), test())

static inline void check_that(int condition, const char *text, const char *file, int line) {
  if (!condition) {
    fprintf(stderr, "%s:%d: check failed: %s\n", file, line, text);
    exit(1);
  }
}

static inline void check_equal(uint64_t actual, uint64_t expected, const char *actual_text, const char *expected_text,
                               const char *file, int line) {
  if (actual != expected) {
    fprintf(stderr, "%s:%d: %s is %" PRIu64 " (0x%" PRIx64 "), not %s, %" PRIu64 " (0x%" PRIx64 ")\n", file, line,
            actual_text, actual, actual, expected_text, expected, expected);
    exit(1);
  }
}

#endif
