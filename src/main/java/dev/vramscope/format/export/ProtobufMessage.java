package dev.vramscope.format.export;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.vramscope.model.VisibleText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A message of Protocol Buffers in memory, to be written whole: into a stream, or into another
 * message, which needs its length first. Not thread-safe.
 */
public final class ProtobufMessage {
  private final Buffer bytes = new Buffer();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  /** A buffer whose array can be read without a copy. */
  private static final class Buffer extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }
  }

  public ProtobufMessage clear() throws IOException {
    out.flush();
    bytes.reset();
    return this;
  }

  /** A number: uint32, uint64, int64, bool or enum. */
  public ProtobufMessage number(int field, long value) throws IOException {
    out.writeUInt64(field, value);
    return this;
  }

  /** A number without a field: an element of a packed field, which is a message of its elements. */
  public ProtobufMessage element(long value) throws IOException {
    out.writeUInt64NoTag(value);
    return this;
  }

  /** A text; the programs that read it may print it to a terminal. */
  public ProtobufMessage text(int field, String value) throws IOException {
    out.writeString(field, VisibleText.of(value));
    return this;
  }

  public ProtobufMessage message(int field, ProtobufMessage value) throws IOException {
    value.out.flush();
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(value.bytes.size());
    out.write(value.bytes.array(), 0, value.bytes.size());
    return this;
  }

  public void writeTo(OutputStream target) throws IOException {
    out.flush();
    bytes.writeTo(target);
  }
}
