package dev.vramscope.store.files;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash that identifies an original file. */
public final class Sha256 {
  private Sha256() {}

  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java runtime has SHA-256", impossible);
    }
  }

  /** Completes the hash and returns it in hexadecimal. Resets {@code digest}. */
  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
