package dev.vramscope.web.connection;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.jspecify.annotations.Nullable;

/** A connection in service. Thread-safe, except for the methods of the sweep. */
public final class ClientConnection {
  static final ScopedValue<ClientConnection> CURRENT = ScopedValue.newInstance();

  private final NioSocketWrapper socket;
  private final SocketChannel channel;
  private final @Nullable MeteredChannel meter;
  private volatile @Nullable EndReason ended;

  // Only used by the sweep: the bytes at the start of the window, and the time that the request
  // has waited for bytes since then; the latest number of bytes, and the time since it changed.
  private long windowBytes;
  private long waitedNanos;
  private long latestBytes;
  private long silentNanos;

  ClientConnection(NioSocketWrapper socket) {
    this.socket = socket;
    channel = socket.getSocket().getIOChannel();
    meter = socket.getSocket() instanceof MeteredChannel metered ? metered : null;
    windowBytes = meter == null ? 0 : meter.receivedBytes();
  }

  /** The connection of the request that the calling thread processes. */
  public static Optional<ClientConnection> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }

  /** Calls a task that continues the request of this connection on another thread. */
  public <T> T call(Callable<T> task) throws Exception {
    return ScopedValue.where(CURRENT, this).call(task::call);
  }

  /**
   * Whether the client has closed the connection. Only for the thread that processes the request,
   * after the body was read; unknown, and false, with TLS.
   */
  public boolean hasLeft() {
    return meter != null && meter.isAtEnd();
  }

  /** Closes a connection whose client has left: nobody would read a response. */
  public void cutAsLeft() {
    cut(EndReason.LEFT);
  }

  /** Why the server ended this connection; empty while it has not. */
  public Optional<EndReason> ended() {
    return Optional.ofNullable(ended);
  }

  /**
   * Stops waiting for the client. A thread that reads the request body finds its end and can still
   * respond; one that writes the response fails.
   */
  public void end(EndReason reason) {
    if (ended == null) {
      ended = reason;
    }
    try {
      if (isSending()) {
        channel.shutdownOutput();
      }
      channel.shutdownInput();
    } catch (ClosedChannelException disconnected) {
      // There is nothing left to end.
    } catch (IOException failed) {
      // The client has disconnected at this moment.
    }
  }

  /** Ends both directions. */
  public void cut(EndReason reason) {
    end(reason);
    try {
      channel.shutdownOutput();
    } catch (IOException disconnected) {
      // There is nothing left to end.
    }
  }

  /** Whether its thread waits for bytes of the client. */
  private boolean isReceiving() {
    return socket.interestOpsHas(SelectionKey.OP_READ);
  }

  /** Whether its thread waits for the client to receive. */
  private boolean isSending() {
    return socket.interestOpsHas(SelectionKey.OP_WRITE);
  }

  /** Whether its thread has waited for the client at least this long. */
  boolean isStalledFor(long nanos, long now) {
    return meter != null
        && ((isReceiving() && now - meter.lastReceived() >= nanos)
            || (isSending() && now - meter.lastSent() >= nanos));
  }

  /**
   * Whether the request waited for a complete window and received less than the minimum in it.
   *
   * @param passedNanos the time since the previous call
   */
  boolean isTooSlow(long passedNanos, long windowNanos, double minBytesPerNano) {
    if (meter == null || !isWaitingFor(meter)) {
      return false;
    }
    waitedNanos += passedNanos;
    if (waitedNanos < windowNanos) {
      return false;
    }
    boolean isTooSlow = meter.receivedBytes() - windowBytes < waitedNanos * minBytesPerNano;
    waitedNanos = 0;
    windowBytes = meter.receivedBytes();
    return isTooSlow;
  }

  /**
   * Whether the client has sent nothing for a time in which the server waited for it.
   *
   * @param passedNanos the time since the previous call
   */
  boolean isSilent(long passedNanos, long limitNanos) {
    if (meter == null || !isWaitingFor(meter)) {
      silentNanos = 0;
      return false;
    }
    long bytes = meter.receivedBytes();
    silentNanos = bytes == latestBytes ? silentNanos + passedNanos : 0;
    latestBytes = bytes;
    return silentNanos >= limitNanos;
  }

  /** A busy server has bytes that it has not read: then the client does not keep it waiting. */
  private boolean isWaitingFor(MeteredChannel client) {
    return isReceiving() && !client.hasUnreadBytes();
  }

  /** The remote address with its port, for the log. */
  String client() {
    return socket.getRemoteAddr() + ":" + socket.getRemotePort();
  }
}
