/* The stack helper where there is no JVM, and the numbers it believes. */
#include "../stacks/methods.h"
#include "check.h"
#include "vramscope.h"

static void without_a_jvm_it_says_so(void) {
  struct vramscope_frame frames[4];
  char text[64];
  CHECK(vramscope_stacks_take(frames, 4) == VRAMSCOPE_STACKS_NOT_STARTED);
  CHECK(vramscope_stacks_start() == VRAMSCOPE_STACKS_NO_VM);
  CHECK(vramscope_stacks_take(frames, 4) == VRAMSCOPE_STACKS_NO_VM);
  CHECK(vramscope_stacks_describe(1, 0, text, sizeof text) == VRAMSCOPE_STACKS_NO_VM);
  CHECK(vramscope_stacks_start() == VRAMSCOPE_STACKS_NO_VM);
}

static void only_added_methods_are_believed(void) {
  CHECK(!methods_contain(16));
  for (uint64_t first = 1; first < 200000; first += 100) {
    uint64_t methods[100];
    for (uint64_t i = 0; i < 100; i++) {
      methods[i] = 0x7f0000000000 + (first + i) * 8;
    }
    CHECK(methods_add(methods, 100));
    CHECK(methods_add(methods, 100)); /* again changes nothing */
  }
  for (uint64_t i = 1; i < 200000; i++) {
    CHECK(methods_contain(0x7f0000000000 + i * 8));
    CHECK(!methods_contain(0x7f0000000000 + i * 8 + 4));
  }
  CHECK(!methods_contain(0));
}

int main(void) {
  RUN(without_a_jvm_it_says_so);
  RUN(only_added_methods_are_believed);
}
