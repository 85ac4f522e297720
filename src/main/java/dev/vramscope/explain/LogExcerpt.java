package dev.vramscope.explain;

import dev.vramscope.work.HeavyWork;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The part of a log that is explained: all of it, or of a long one its beginning, its end and what
 * stands around the words of messages. The other lines are empty, so that every line keeps its
 * number.
 *
 * @param text the whole log, or its excerpt
 * @param characters of the whole log
 * @param lines of the whole log
 * @param isWhole whether the text is the whole log
 * @param unreadCharacters of parts that have words of messages, but for which there is no room
 */
public record LogExcerpt(
    String text, long characters, long lines, boolean isWhole, long unreadCharacters) {
  /** A log of so many characters is explained as a whole. */
  public static final int MAX_WHOLE = 32 << 20;

  private static final int BLOCK = 1 << 16;

  /** Blocks at the beginning: settings and versions. */
  private static final int HEAD_BLOCKS = 8;

  /** Blocks at the end: what the program died of. */
  private static final int TAIL_BLOCKS = 16;

  private static final int MAX_FAILURE_CHARACTERS = 16 << 20;
  private static final int MAX_REPORT_CHARACTERS = 6 << 20;

  /** A whole text. */
  public static LogExcerpt of(String text) {
    return new LogExcerpt(text, text.length(), text.lines().count(), /* isWhole= */ true, 0);
  }

  /** Reads a log to its end. No more than {@link #MAX_WHOLE} characters of it are held. */
  public static LogExcerpt read(Reader log) throws IOException {
    StringBuilder unselected = new StringBuilder();
    Selection selection = null;
    char[] buffer = new char[BLOCK];
    for (int length = log.read(buffer); length >= 0; length = log.read(buffer)) {
      HeavyWork.checkpoint();
      unselected.append(buffer, 0, length);
      if (selection == null && unselected.length() > MAX_WHOLE) {
        selection = new Selection();
      }
      if (selection != null) {
        selection.takeBlocks(unselected);
      }
    }
    if (selection == null) {
      return of(unselected.toString());
    }
    selection.add(unselected.toString());
    return selection.excerpt();
  }

  /** Decides block by block what is kept. */
  private static final class Selection {
    /** A block whose neighbours below are not known yet. */
    private static final class Block {
      private final String text;
      private Relevance relevance;

      Block(String text, Relevance relevance) {
        this.text = text;
        this.relevance = relevance;
      }
    }

    private final MessageWords words = MessageWords.standard();
    private final Deque<Block> tail = new ArrayDeque<>();
    private final StringBuilder kept = new StringBuilder();
    private int blocks;
    private long characters;
    private long lines;
    private boolean endsInLine;
    private long failureCharacters;
    private long reportCharacters;
    private long unread;

    /** Takes whole blocks from the beginning of a text; each ends with a line, if it has one. */
    void takeBlocks(StringBuilder text) {
      int start = 0;
      while (text.length() - start >= BLOCK) {
        HeavyWork.checkpoint();
        int newline = text.lastIndexOf("\n", start + BLOCK - 1);
        int end = newline < start ? start + BLOCK : newline + 1;
        add(text.substring(start, end));
        start = end;
      }
      text.delete(0, start);
      text.trimToSize();
    }

    void add(String text) {
      if (text.isEmpty()) {
        return;
      }
      blocks++;
      characters += text.length();
      lines += newlines(text);
      endsInLine = text.charAt(text.length() - 1) != '\n';
      Relevance relevance = words.relevance(text);
      Block last = tail.peekLast();
      // What stands before a message led to it, and its numbers may follow in the next block.
      Relevance before = last == null ? Relevance.NONE : last.relevance;
      if (last != null) {
        last.relevance = last.relevance.orNear(relevance);
      }
      tail.addLast(new Block(text, relevance.orNear(before)));
      if (tail.size() > TAIL_BLOCKS) {
        Block next = tail.removeFirst();
        append(next.text, blocks - TAIL_BLOCKS <= HEAD_BLOCKS || hasRoom(next));
      }
    }

    private boolean hasRoom(Block block) {
      int length = block.text.length();
      boolean hasRoom =
          switch (block.relevance) {
            case FAILURE, NEAR_FAILURE -> (failureCharacters += length) <= MAX_FAILURE_CHARACTERS;
            case REPORT -> (reportCharacters += length) <= MAX_REPORT_CHARACTERS;
            case NONE -> false;
          };
      if (!hasRoom && block.relevance == Relevance.FAILURE) {
        unread += length;
      }
      return hasRoom;
    }

    private void append(String text, boolean isKept) {
      if (isKept) {
        kept.append(text);
      } else {
        kept.repeat('\n', newlines(text));
      }
    }

    private static int newlines(String text) {
      int count = 0;
      for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
        count++;
      }
      return count;
    }

    LogExcerpt excerpt() {
      tail.forEach(block -> kept.append(block.text));
      return new LogExcerpt(
          kept.toString(), characters, lines + (endsInLine ? 1 : 0), /* isWhole= */ false, unread);
    }
  }

  /** What a block of a log has to do with messages. */
  enum Relevance {
    /** No word of a message. */
    NONE,
    /** Words of warnings, notices and reports. */
    REPORT,
    /** Beside a block with words of a failure. */
    NEAR_FAILURE,
    /** Words of a failure. */
    FAILURE;

    /** This one, or what follows from that of the block above or below. */
    Relevance orNear(Relevance neighbour) {
      return neighbour == FAILURE && this != FAILURE ? NEAR_FAILURE : this;
    }
  }
}
