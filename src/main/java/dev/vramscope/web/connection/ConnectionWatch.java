package dev.vramscope.web.connection;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Ends connections that keep the server waiting: heads that are never complete, and bodies that
 * arrive too slowly. When the server stops, it ends stalled requests at once and the others after a
 * grace period, while Tomcat waits for them in the same phase.
 */
final class ConnectionWatch implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final Duration STOP_INTERVAL = Duration.ofMillis(50);

  /** A client that sends or receives nothing for this time while the server stops is stalled. */
  private static final Duration STALLED = Duration.ofSeconds(1);

  private final ConnectionSettings settings;
  private final Map<SocketWrapperBase<NioChannel>, Long> headStarts = new HashMap<>();
  private @Nullable ConnectionEndpoint endpoint;
  private Duration maxSilence = Duration.ofSeconds(20);
  private volatile @Nullable Thread thread;
  private long lastSweep;

  ConnectionWatch(ConnectionSettings settings) {
    this.settings = settings;
  }

  /**
   * Sets the endpoint, before the start.
   *
   * @param silence after which a client that sends nothing of its request is disconnected
   */
  void watch(ConnectionEndpoint watched, Duration silence) {
    endpoint = watched;
    maxSilence = silence;
  }

  @Override
  public int getPhase() {
    return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
  }

  @Override
  public synchronized void start() {
    ConnectionEndpoint watched = endpoint;
    if (thread == null && watched != null) {
      lastSweep = System.nanoTime();
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("connections")
              .start(() -> repeat(INTERVAL, () -> sweep(watched)));
    }
  }

  @Override
  public boolean isRunning() {
    return thread != null;
  }

  /** Sweeps until the thread is interrupted. */
  private static void repeat(Duration interval, Runnable sweep) {
    try {
      while (true) {
        Thread.sleep(interval);
        try {
          sweep.run();
        } catch (RuntimeException | OutOfMemoryError failed) {
          LOG.error("Connections could not be checked", failed);
        }
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void sweep(ConnectionEndpoint watched) {
    long now = System.nanoTime();
    double minBytesPerNano = settings.minPace().toBytes() / 1e9;
    long window = settings.paceWindow().toNanos();
    // A sweep that is late shows that the server is busy, not that clients are slow.
    long passed = Math.min(now - lastSweep, 2 * INTERVAL.toNanos());
    for (ClientConnection connection : watched.inService()) {
      if (connection.isTooSlow(passed, window, minBytesPerNano)) {
        end(connection, EndReason.TOO_SLOW);
      } else if (connection.isSilent(passed, maxSilence.toNanos())) {
        end(connection, EndReason.SILENT);
      }
    }
    endIncompleteHeads(watched.getConnections(), now);
    lastSweep = now;
  }

  /**
   * Tomcat keeps a processor at a connection that is not in service while its head is incomplete.
   */
  private void endIncompleteHeads(Collection<SocketWrapperBase<NioChannel>> connections, long now) {
    headStarts.keySet().retainAll(connections);
    for (SocketWrapperBase<NioChannel> connection : connections) {
      if (connection.getCurrentProcessor() == null) {
        headStarts.remove(connection);
      } else if (now - headStarts.computeIfAbsent(connection, _ -> now)
          > settings.headTimeout().toNanos()) {
        LOG.debug("Closed the connection from {}: its request head is incomplete", connection);
        connection.close();
      }
    }
  }

  private static void end(ClientConnection connection, EndReason reason) {
    LOG.info("Ended the request of {}: {}", connection.client(), reason.text());
    connection.end(reason);
  }

  @Override
  public void stop() {
    stop(() -> {});
  }

  @Override
  public synchronized void stop(Runnable whenStopped) {
    Thread sweeps = thread;
    ConnectionEndpoint watched = endpoint;
    thread = null;
    if (sweeps == null || watched == null) {
      whenStopped.run();
      return;
    }
    sweeps.interrupt();
    Thread.ofPlatform()
        .daemon()
        .name("connections-stop")
        .start(
            () -> {
              try {
                drain(watched);
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              } finally {
                whenStopped.run();
              }
            });
  }

  private void drain(ConnectionEndpoint watched) throws InterruptedException {
    long deadline = System.nanoTime() + settings.stopGrace().toNanos();
    while (!watched.inService().isEmpty() && System.nanoTime() < deadline) {
      long now = System.nanoTime();
      for (ClientConnection connection : watched.inService()) {
        if (connection.ended().isEmpty() && connection.isStalledFor(STALLED.toNanos(), now)) {
          end(connection, EndReason.STOPPING);
        }
      }
      TimeUnit.NANOSECONDS.sleep(STOP_INTERVAL.toNanos());
    }
    List<ClientConnection> left = List.copyOf(watched.inService());
    if (!left.isEmpty()) {
      LOG.warn(
          "{} requests were still in progress {} after the stop began; they are cut",
          left.size(),
          settings.stopGrace());
    }
    left.forEach(connection -> connection.cut(EndReason.STOPPING));
  }
}
