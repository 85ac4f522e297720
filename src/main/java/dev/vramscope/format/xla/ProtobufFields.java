package dev.vramscope.format.xla;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import java.io.IOException;

/** Reads messages field by field, with errors that say where the file is damaged. */
public final class ProtobufFields {
  private final CodedInputStream in;
  private final String next;

  /**
   * @param in the file
   * @param next what to do about a damaged file
   */
  public ProtobufFields(CodedInputStream in, String next) {
    this.in = in;
    this.next = next;
  }

  /** Reads the value of one field, whose number it gets. */
  @FunctionalInterface
  public interface Field {
    /** Returns whether the value was read; the others are skipped. */
    boolean read(int number) throws IOException, FormatException;
  }

  /** Reads the fields up to the end of the file, or of the message that is being read. */
  public void message(Field field) throws IOException, FormatException {
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        int number = WireFormat.getTagFieldNumber(tag);
        if (!field.read(number) && !in.skipField(tag)) {
          throw malformed("a group ends where none began");
        }
      }
    } catch (InvalidProtocolBufferException damaged) {
      throw malformed("the protocol buffer is damaged: " + damaged.getMessage());
    }
  }

  /** Reads a message that is the value of a field. */
  public void nested(Field field) throws IOException, FormatException {
    int length = in.readRawVarint32();
    if (length < 0) {
      throw malformed("a message has a negative length");
    }
    int outer = in.pushLimit(length);
    message(field);
    in.checkLastTagWas(0);
    // At the end of the file, a message ends without an error.
    if (in.getBytesUntilLimit() > 0) {
      throw new FormatException(
          Reason.TRUNCATED, "the file ends early", "byte " + in.getTotalBytesRead(), next);
    }
    in.popLimit(outer);
  }

  /** Whether the value of the field is a number of 64 bits or less, as a varint. */
  public boolean isNumber() {
    return WireFormat.getTagWireType(in.getLastTag()) == WireFormat.WIRETYPE_VARINT;
  }

  /** Whether the value of the field has a length: a text, bytes or a message. */
  public boolean isDelimited() {
    return WireFormat.getTagWireType(in.getLastTag()) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /** Gets one of several numbers. */
  @FunctionalInterface
  interface NumberField {
    void accept(long number) throws FormatException;
  }

  /** Reads one number, or several that are packed. */
  void numbers(NumberField number) throws IOException, FormatException {
    if (WireFormat.getTagWireType(in.getLastTag()) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
      number.accept(in.readInt64());
      return;
    }
    int outer = in.pushLimit(in.readRawVarint32());
    while (in.getBytesUntilLimit() > 0) {
      number.accept(in.readInt64());
    }
    in.popLimit(outer);
  }

  public FormatException malformed(String what) {
    return new FormatException(Reason.MALFORMED, what, "byte " + in.getTotalBytesRead(), next);
  }

  public FormatException tooLarge(String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        what,
        "byte " + in.getTotalBytesRead(),
        "Start the server with a larger heap (-Xmx).");
  }
}
