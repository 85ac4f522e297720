package dev.vramscope.web.order;

import dev.vramscope.intake.LogContent;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.web.problem.PageProblem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.MultipartBody;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body was received. A large body is in the spool; fields and files of forms are
 * where the server put them.
 */
final class ReceivedRequest extends HttpServletRequestWrapper implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  /** As many as there are connections may be in memory. */
  private static final int MAX_IN_MEMORY = 1 << 14;

  /** The longest body of a request that is heavy, of a script or a plan. */
  private static final long MAX_BYTES = 64L << 20;

  private static final String LOGS = "/api/v1/explain";

  private final byte[] head;
  private final @Nullable SpoolFile rest;
  private @Nullable ServletInputStream stream;

  private ReceivedRequest(HttpServletRequest request, byte[] head, @Nullable SpoolFile rest) {
    super(request);
    this.head = head;
    this.rest = rest;
  }

  /**
   * Receives the body of a request.
   *
   * @throws RefusedRequestException if it is too long
   */
  static ReceivedRequest of(HttpServletRequest request, Spool spool)
      throws IOException, ServletException {
    if (!PageProblem.isApi(request.getRequestURI())) {
      readForm(request);
      return new ReceivedRequest(request, new byte[0], null);
    }
    InputStream body = request.getInputStream();
    byte[] head = body.readNBytes(MAX_IN_MEMORY);
    if (head.length < MAX_IN_MEMORY) {
      return new ReceivedRequest(request, head, null);
    }
    long maxBytes = request.getRequestURI().endsWith(LOGS) ? LogContent.MAX_BYTES : MAX_BYTES;
    SpoolFile rest = spool.create();
    try (OutputStream out = rest.output()) {
      long bytes = head.length;
      byte[] buffer = new byte[BUFFER];
      for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        bytes += read;
        if (bytes > maxBytes) {
          throw RefusedRequestException.textTooLong(
              "the body has more than " + (maxBytes >> 20) + " MiB",
              "the body",
              "Send the part that matters; tail -c 8000000 takes the end of a log.");
        }
        out.write(buffer, 0, read);
      }
      return new ReceivedRequest(request, head, rest);
    } catch (IOException | RuntimeException failed) {
      rest.close();
      throw failed;
    }
  }

  /** The server keeps the fields in memory, and the files in its folder of temporary files. */
  private static void readForm(HttpServletRequest request) throws IOException, ServletException {
    if (MultipartBody.isOf(request)) {
      request.getParts();
    }
    request.getParameterMap();
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    ServletInputStream opened = stream;
    if (opened == null) {
      InputStream first = new ByteArrayInputStream(head);
      opened = new BodyStream(rest == null ? first : new SequenceInputStream(first, rest.input()));
      stream = opened;
    }
    return opened;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    String encoding = getCharacterEncoding();
    Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    return new BufferedReader(new InputStreamReader(getInputStream(), charset));
  }

  @Override
  public void close() throws IOException {
    try (ServletInputStream _ = stream;
        SpoolFile _ = rest) {
      // Closing is all.
    }
  }

  /** The body that was received. */
  private static final class BodyStream extends ServletInputStream {
    private final InputStream body;
    private boolean isFinished;

    BodyStream(InputStream body) {
      this.body = body;
    }

    @Override
    public int read() throws IOException {
      return finishedIfEnd(body.read());
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return finishedIfEnd(body.read(bytes, offset, length));
    }

    private int finishedIfEnd(int read) {
      isFinished = read < 0;
      return read;
    }

    @Override
    public boolean isFinished() {
      return isFinished;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body is read synchronously");
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }
}
