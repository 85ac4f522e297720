package dev.vramscope.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client that sends and receives its bytes as slowly as a test needs. */
final class RawClient implements AutoCloseable {
  private static final int SMALL_BUFFER = 4096;
  private static final String UPLOAD_PATH = "/api/v1/snapshots";

  private final Socket socket;
  private final URI server;

  private RawClient(Socket socket, URI server) {
    this.socket = socket;
    this.server = server;
  }

  static RawClient connect(URI server) throws IOException {
    return connect(server, "127.0.0.1");
  }

  /** Connects from a loopback address, such as 127.0.0.2. */
  static RawClient connect(URI server, String from) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(SMALL_BUFFER);
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
    socket.connect(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.getPort()), 10_000);
    return new RawClient(socket, server);
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawClient send(byte[] bytes) throws IOException {
    return send(bytes, 0, bytes.length);
  }

  RawClient send(byte[] bytes, int offset, int length) throws IOException {
    socket.getOutputStream().write(bytes, offset, length);
    socket.getOutputStream().flush();
    return this;
  }

  RawClient get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n\r\n");
  }

  /** Sends the head of an upload, and no byte of the body. */
  RawClient beginUpload(long length) throws IOException {
    return send(
        "POST "
            + UPLOAD_PATH
            + " HTTP/1.1\r\nHost: "
            + server.getAuthority()
            + "\r\nConnection: close\r\nContent-Length: "
            + length
            + "\r\n\r\n");
  }

  /** The complete response up to the end of the connection, or what arrived in this time. */
  String response(Duration atMost) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    long end = System.nanoTime() + atMost.toNanos();
    byte[] buffer = new byte[SMALL_BUFFER];
    try {
      while (true) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          break;
        }
        socket.setSoTimeout((int) left);
        int length = socket.getInputStream().read(buffer);
        if (length < 0) {
          break;
        }
        received.write(buffer, 0, length);
      }
    } catch (SocketTimeoutException over) {
      // Returns what arrived.
    }
    return received.toString(StandardCharsets.UTF_8);
  }

  /** The first bytes of the response, or nothing if they took longer. */
  String firstBytes(int count, Duration atMost) throws IOException {
    socket.setSoTimeout((int) atMost.toMillis());
    try {
      return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
    } catch (SocketTimeoutException late) {
      return "";
    }
  }

  /** The status of the response, or -1 if the connection ended or nothing arrived. */
  int status(Duration atMost) {
    try {
      String head = response(atMost);
      return head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head.substring(9, 12)) : -1;
    } catch (IOException reset) {
      return -1;
    }
  }

  /** Whether the server closes the connection within this time. */
  boolean isClosedWithin(Duration atMost) throws IOException {
    socket.setSoTimeout((int) atMost.toMillis());
    byte[] buffer = new byte[SMALL_BUFFER];
    try {
      while (socket.getInputStream().read(buffer) >= 0) {
        // A response; then the end.
      }
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
