package dev.vramscope.web.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketBufferHandler;

/**
 * A channel without TLS that counts its bytes. Tomcat reuses it for one connection after another.
 */
final class MeteredChannel extends NioChannel {
  private final AtomicLong receivedBytes = new AtomicLong();
  private volatile long lastReceived;
  private volatile long lastSent;

  /** A byte that was read to learn whether the connection is open, and is not consumed yet. */
  private final ByteBuffer ahead = ByteBuffer.allocate(1).limit(0);

  MeteredChannel(SocketBufferHandler buffers) {
    super(buffers);
  }

  @Override
  public void reset(SocketChannel channel, NioSocketWrapper socket) throws IOException {
    lastReceived = System.nanoTime();
    lastSent = lastReceived;
    ahead.limit(0);
    super.reset(channel, socket);
  }

  /** Whether the client has closed its side, or the connection is broken. */
  boolean isAtEnd() {
    if (ahead.hasRemaining()) {
      return false; // It has sent the beginning of its next request.
    }
    try {
      ahead.clear();
      int read = super.read(ahead);
      ahead.flip();
      return read < 0;
    } catch (IOException broken) {
      ahead.limit(0);
      return true;
    }
  }

  /** Whether the client has sent bytes, or its end, that the server has not read yet. */
  boolean hasUnreadBytes() {
    try {
      return sc.socket().getInputStream().available() > 0;
    } catch (IOException broken) {
      return true; // The thread that reads finds it.
    }
  }

  long receivedBytes() {
    return receivedBytes.get();
  }

  /** The {@link System#nanoTime} at which bytes were received, or the connection was opened. */
  long lastReceived() {
    return lastReceived;
  }

  /** The {@link System#nanoTime} at which bytes were sent, or the connection was opened. */
  long lastSent() {
    return lastSent;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return received(ahead.hasRemaining() ? readAhead(target) : super.read(target));
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return ahead.hasRemaining()
        ? received(readAhead(targets[offset]))
        : received((int) super.read(targets, offset, length));
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) sent(super.write(source));
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return sent(super.write(sources, offset, length));
  }

  private int readAhead(ByteBuffer target) {
    if (!target.hasRemaining()) {
      return 0;
    }
    target.put(ahead);
    return 1;
  }

  /** Reads and writes of a connection are each done by one thread at a time. */
  private int received(int bytes) {
    if (bytes > 0) {
      receivedBytes.addAndGet(bytes);
      lastReceived = System.nanoTime();
    }
    return bytes;
  }

  private long sent(long bytes) {
    if (bytes > 0) {
      lastSent = System.nanoTime();
    }
    return bytes;
  }
}
