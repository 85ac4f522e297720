package dev.vramscope.store.files;

/**
 * Originals of an older release that are only in a database that was set aside.
 *
 * @param file the name of that database in the data folder
 * @param count how many at least
 */
public record SetAsideOriginals(String file, int count) {
  /** What this means for a user; sentences. */
  public String what() {
    return "The originals of at least "
        + count
        + (count == 1 ? " snapshot" : " snapshots")
        + " of an older release are only in "
        + file
        + ", which could not be read. Do not delete that file before you have uploaded them"
        + " again.";
  }
}
