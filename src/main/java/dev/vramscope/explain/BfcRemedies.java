package dev.vramscope.explain;

/** The settings of XLA's allocator on GPUs. Which one helps depends on what failed. */
final class BfcRemedies {
  private BfcRemedies() {}

  static void addTensorFlow(Conclusion.Builder conclusion) {
    conclusion.remedy(
        "Let the driver’s allocator serve the requests: it avoids fragmentation.",
        "TF_GPU_ALLOCATOR=cuda_malloc_async");
    conclusion.remedy(
        "Let the pool grow with the program, if another program shares the GPU.",
        "TF_FORCE_GPU_ALLOW_GROWTH=true");
  }

  static void add(Conclusion.Builder conclusion) {
    conclusion.remedy(
        "JAX reserves 75 % of the GPU by default. Give it more, if no other program needs the"
            + " rest.",
        "XLA_PYTHON_CLIENT_MEM_FRACTION=0.95");
    conclusion.remedy(
        "Let the pool grow with the program, if another program, or a second framework in this one,"
            + " shares the GPU. The pool may become fragmented sooner.",
        "XLA_PYTHON_CLIENT_PREALLOCATE=false");
    conclusion.remedy(
        "Allocate and free every buffer at the driver. There is no fragmentation, so it shows"
            + " whether fragmentation is the reason, but it is slow.",
        "XLA_PYTHON_CLIENT_ALLOCATOR=platform");
  }
}
