package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The words with which a pickle is refused. The machine adds the byte offset. */
final class PickleErrors {
  private static final String WRITE_AGAIN =
      "Copy or write the file again: it is damaged or was not written by a pickler.";

  private final ReadLimits limits;

  PickleErrors(ReadLimits limits) {
    this.limits = limits;
  }

  FormatException malformed(String what) {
    return new FormatException(Reason.MALFORMED, what, "", WRITE_AGAIN);
  }

  FormatException tooLarge(String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        what,
        "",
        "Record fewer events (max_entries), or give the server a larger heap.");
  }

  FormatException tooManyBytes() {
    return new FormatException(
        Reason.TOO_LARGE,
        "the file has more than " + limits.maxBytes() + " bytes uncompressed",
        "",
        "Raise the upload limit of the server, or record fewer events (max_entries).");
  }

  FormatException tooDeep() {
    return new FormatException(
        Reason.MALFORMED,
        "containers are nested deeper than " + limits.maxDepth(),
        "",
        "A memory snapshot nests 6 deep: this is something else.");
  }

  FormatException emptyFile() {
    return new FormatException(
        Reason.TRUNCATED,
        "the file is empty",
        "",
        "The program that wrote it was probably killed while dumping; take the snapshot again.");
  }

  FormatException endsEarly(String missing) {
    return new FormatException(
        Reason.TRUNCATED,
        "the file ends where " + missing + " was expected",
        "",
        "It was cut off while being written or copied; copy it again.");
  }

  FormatException opcode(int code) {
    String hex = "0x" + Integer.toHexString(code).toUpperCase(Locale.ROOT);
    if (!Opcode.exists(code)) {
      return malformed(hex + " is no pickle opcode");
    }
    Opcode opcode = Opcode.of(code);
    if (opcode.isAllowed()) {
      return malformed("the opcode " + opcode + " stands where it cannot");
    }
    return new FormatException(
        Reason.FORBIDDEN_OPCODE,
        "the pickle opcode " + opcode + " (" + hex + ") " + opcode.objection(),
        "",
        "Memory snapshots consist of numbers, strings, lists and dicts; do not load this file in"
            + " Python.");
  }

  FormatException unknownMemoEntry(int number) {
    return malformed(
        "memo entry " + Integer.toUnsignedString(number) + " is fetched but was never stored");
  }

  FormatException notAPickle() {
    return notASnapshot(
        "the file does not begin as a pickle of protocol 2 to 5 does",
        "Upload the file that torch.cuda.memory._dump_snapshot(file) wrote.");
  }

  /** Recognises by its first bytes what people upload instead of a pickle. */
  void checkSignature(byte[] bytes, int from, int to) throws FormatException {
    String head = new String(bytes, from, Math.min(to - from, 64), StandardCharsets.ISO_8859_1);
    if (head.startsWith("version https://git-lfs")) {
      throw notASnapshot(
          "this is a Git LFS pointer, not the file it points to",
          "Run git lfs pull and upload the file itself.");
    }
    if (head.stripLeading().startsWith("<")) {
      throw notASnapshot(
          "this is an HTML or XML page, not a pickle",
          "Check that the download was not answered by a login or error page.");
    }
    if (head.startsWith("PK\u0003\u0004")) {
      throw notASnapshot(
          "this is a zip archive, such as torch.save writes, not a memory snapshot",
          "Write the snapshot with torch.cuda.memory._dump_snapshot(file).");
    }
  }

  private static FormatException notASnapshot(String what, String next) {
    return new FormatException(Reason.NOT_A_SNAPSHOT, what, "", next);
  }
}
