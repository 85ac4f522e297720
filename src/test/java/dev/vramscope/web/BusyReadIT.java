package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.intake.JsonSnapshots;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The limits on slow clients count only the time in which the server could have read. */
class BusyReadIT {
  /** Longer than each limit on a client that sends nothing. */
  private static final int BUSY_SECONDS = 10;

  /** Of a file that is larger than what the operating system keeps of a connection. */
  private static final int EVENTS = 150_000;

  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void uploadThatTheServerIsTooBusyToReadIsStored() throws Exception {
    try (LocalServer server = impatientServer();
        RawClient client = RawClient.connect(server.at("/"))) {
      byte[] file = JsonSnapshots.file(1, EVENTS, 10);
      int begun = 1000;
      client.beginUpload(file.length).send(file, 0, begun);
      occupyAllThreadsOfRequests();
      client.send(file, begun, file.length - begun);
      assertThat(client.status(SOON)).isEqualTo(201);
    }
  }

  /** The limits do end a client that sends nothing for as long. */
  @Test
  void uploadThatStopsIsEnded() throws Exception {
    try (LocalServer server = impatientServer();
        RawClient client = RawClient.connect(server.at("/"))) {
      client.beginUpload(2_000_000).send("{");
      assertThat(client.status(SOON)).isEqualTo(408);
    }
  }

  private static LocalServer impatientServer() {
    return LocalServer.start(
        "--server.tomcat.connection-timeout=4s",
        "--vramscope.connections.pace-window=4s",
        "--vramscope.connections.min-pace=1MB");
  }

  /** Requests run on virtual threads; these keep the platform threads that carry them. */
  @SuppressWarnings("restricted")
  private static void occupyAllThreadsOfRequests() throws InterruptedException {
    MethodHandle sleep =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("sleep"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    int count =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    CountDownLatch areAllRunning = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                areAllRunning.countDown();
                sleep(sleep);
              });
    }
    areAllRunning.await();
  }

  private static void sleep(MethodHandle sleep) {
    try {
      int _ = (int) sleep.invokeExact(BUSY_SECONDS);
    } catch (Throwable failed) {
      throw new AssertionError(failed);
    }
  }
}
