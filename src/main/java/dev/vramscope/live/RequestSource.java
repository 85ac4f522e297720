package dev.vramscope.live;

/**
 * The originator of requests to a hosted allocator. The first failed request of each source has its
 * own snapshot.
 *
 * @param run the number of a workload run, or 0 for clients of the REST interface
 * @param isRepeated whether the run repeats a step that failed, so that another failure ends it
 */
public record RequestSource(long run, boolean isRepeated) {
  /** Clients of the REST interface. */
  public static final RequestSource CLIENTS = new RequestSource(0, /* isRepeated= */ false);

  private static final ScopedValue<RequestSource> CURRENT = ScopedValue.newInstance();

  public static RequestSource ofRun(long run) {
    return new RequestSource(run, /* isRepeated= */ false);
  }

  /** The source of the requests of the current thread. */
  public static RequestSource current() {
    return CURRENT.orElse(CLIENTS);
  }

  /** The same source while it repeats a failed step. */
  public RequestSource repeated() {
    return new RequestSource(run, /* isRepeated= */ true);
  }

  /** Performs work whose requests have this source. */
  public void run(Runnable work) {
    ScopedValue.where(CURRENT, this).run(work);
  }
}
