package dev.vramscope.format.pickle;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Creates the exceptions for rejected pickles. {@link PickleMachine} adds the byte offset. */
final class PickleErrors {
  private static final String COPY_AGAIN =
      "Copy or write the file again: it is damaged or is not a pickle.";

  private final ReadLimits limits;

  PickleErrors(ReadLimits limits) {
    this.limits = limits;
  }

  FormatException malformed(String what) {
    return new FormatException(Reason.MALFORMED, what, "", COPY_AGAIN);
  }

  FormatException tooLarge(String what) {
    return new FormatException(
        Reason.TOO_LARGE,
        what,
        "",
        "Record fewer events (max_entries), or start the server with a larger heap.");
  }

  FormatException tooManyBytes() {
    return new FormatException(
        Reason.TOO_LARGE,
        "the file has more than " + limits.maxBytes() + " bytes uncompressed",
        "",
        "Raise vramscope.limits.max-uncompressed, or record fewer events (max_entries).");
  }

  FormatException tooDeep() {
    return new FormatException(
        Reason.MALFORMED,
        "containers are nested deeper than " + limits.encoding().maxDepth(),
        "",
        "The nesting depth of a memory snapshot is 6; check that this is the right file.");
  }

  FormatException emptyFile() {
    return new FormatException(
        Reason.TRUNCATED,
        "the file is empty",
        "",
        "The program was probably killed while writing it; take the snapshot again.");
  }

  FormatException endsEarly(String missing) {
    return new FormatException(
        Reason.TRUNCATED,
        "the file ends where " + missing + " was expected",
        "",
        "It was truncated while being written or copied; copy it again.");
  }

  FormatException opcode(int code) {
    String hex = "0x" + Integer.toHexString(code).toUpperCase(Locale.ROOT);
    if (!Opcode.exists(code)) {
      return malformed(hex + " is not a pickle opcode");
    }
    Opcode opcode = Opcode.of(code);
    if (opcode.isAllowed()) {
      return malformed("the opcode " + opcode + " is not allowed at this position");
    }
    return new FormatException(
        Reason.FORBIDDEN_OPCODE,
        "the pickle opcode " + opcode + " (" + hex + ") " + opcode.rejectionReason(),
        "",
        "Memory snapshots consist of numbers, strings, lists and dicts; do not load this file in"
            + " Python.");
  }

  FormatException unknownMemoEntry(int number) {
    return malformed(
        "memo entry " + Integer.toUnsignedString(number) + " is read but was never stored");
  }

  FormatException notAPickle() {
    return notASnapshot(
        "the file does not begin like a pickle of protocol 2 to 5",
        "Upload the file that torch.cuda.memory._dump_snapshot(file) wrote.");
  }

  /** Rejects files that are commonly uploaded instead of a pickle, by their first bytes. */
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
          "Check whether the download returned a login or error page.");
    }
    if (head.startsWith("PK\u0003\u0004")) {
      throw notASnapshot(
          "this is a zip archive, such as torch.save writes, and not a memory snapshot",
          "Write the snapshot with torch.cuda.memory._dump_snapshot(file).");
    }
  }

  private static FormatException notASnapshot(String what, String next) {
    return new FormatException(Reason.NOT_A_SNAPSHOT, what, "", next);
  }
}
