package dev.vramscope.analysis.diff;

import dev.vramscope.model.Frame;

/**
 * A place in the code. Comparable, so that a hash table of places stays fast although a file may
 * contain names with the same hash.
 *
 * @param path the whole path of the file, or its last components
 */
record SourcePlace(String name, String path, int line) implements Comparable<SourcePlace> {
  /** The line of a function that may have moved within its file. */
  static final int ANY_LINE = -1;

  /** The place with the whole path. */
  static SourcePlace of(Frame frame) {
    return new SourcePlace(frame.name(), frame.file(), frame.line());
  }

  /** The place with the last {@code components} of the path, which has the separator of Unix. */
  static SourcePlace of(Frame frame, int components, int line) {
    return new SourcePlace(frame.name(), tail(frame.file(), components), line);
  }

  private static String tail(String path, int components) {
    int start = path.length();
    for (int left = components; left > 0; left--) {
      int end = start - 1;
      start = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1)) + 1;
      if (start == 0) {
        break;
      }
    }
    return path.substring(start).replace('\\', '/');
  }

  @Override
  public int compareTo(SourcePlace other) {
    int byName = name.compareTo(other.name);
    if (byName != 0) {
      return byName;
    }
    int byPath = path.compareTo(other.path);
    return byPath != 0 ? byPath : Integer.compare(line, other.line);
  }
}
