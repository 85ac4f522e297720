package dev.vramscope.web.request;

import dev.vramscope.work.HeavyWork;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The stream of a long response, for a task: it collects bytes while the task computes, and sends
 * them without its turn. The first ones are sent soon.
 */
public final class ClientOutput extends OutputStream {
  private static final int FIRST_BYTES = 1 << 14;
  private static final int BLOCK_BYTES = 1 << 20;

  private final OutputStream client;
  private byte[] block = new byte[FIRST_BYTES];
  private int length;

  public ClientOutput(OutputStream client) {
    this.client = client;
  }

  @Override
  public void write(int value) throws IOException {
    if (length == block.length) {
      send();
    }
    block[length++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    int written = 0;
    while (written < count) {
      if (length == block.length) {
        send();
      }
      int part = Math.min(count - written, block.length - length);
      System.arraycopy(bytes, offset + written, block, length, part);
      length += part;
      written += part;
    }
  }

  /** Sends the first bytes; later ones wait until a block is full. */
  @Override
  public void flush() throws IOException {
    if (block.length == FIRST_BYTES && length > 0) {
      send();
    }
  }

  private void send() throws IOException {
    HeavyWork.checkpoint();
    sendWithoutTurn();
    if (block.length < BLOCK_BYTES) {
      block = new byte[BLOCK_BYTES];
    }
  }

  private void sendWithoutTurn() throws IOException {
    try {
      HeavyWork.withoutTurn(
          () -> {
            client.write(block, 0, length);
            client.flush();
            return null;
          });
      length = 0;
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Sends the rest. The stream of the client stays open. */
  @Override
  public void close() throws IOException {
    if (length > 0) {
      sendWithoutTurn();
    }
  }
}
