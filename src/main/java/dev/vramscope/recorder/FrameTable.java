package dev.vramscope.recorder;

import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The distinct frames of contexts, numbered from 1: Java frames and scope names.
 *
 * <pre>
 *   sites[hash(method, bytecode index)…] = Site(method, index, frame number); at most half full
 * </pre>
 *
 * Existing sites are found without locking; one thread at a time adds a site. Bounded: if the table
 * is full, a new frame has the number {@link #NONE}, is left out of its stack, and is counted. The
 * classes of recorded frames are not unloaded while the recorder is reachable.
 */
final class FrameTable {
  /** The number of a frame that was not added. */
  static final int NONE = 0;

  /** The source file of a scope. */
  static final String SCOPE_FILE = "scope";

  private record Site(Object method, int index, int number) {}

  private final int maxFrames;
  private final ConcurrentHashMap<String, Integer> scopes = new ConcurrentHashMap<>();
  private final List<Frame> frames = new ArrayList<>();
  private volatile @Nullable Site[] sites = new Site[1024];
  private int siteCount;
  private long dropped;

  FrameTable(int maxFrames) {
    this.maxFrames = maxFrames;
  }

  /** The number of a scope name. */
  int scope(String name) {
    Integer existing = scopes.get(name);
    return existing != null ? existing : addScope(name);
  }

  /** The number of a frame of a stack walk. */
  int number(StackWalker.StackFrame frame) {
    Object method = MethodIdentity.of(frame);
    int index = frame.getByteCodeIndex();
    Site site = find(sites, method, index);
    return site != null ? site.number : addSite(frame, method, index);
  }

  synchronized Frame frame(int number) {
    return frames.get(number - 1);
  }

  synchronized long droppedCount() {
    return dropped;
  }

  // A racy read is safe: a Site is immutable.
  private static @Nullable Site find(@Nullable Site[] sites, Object method, int index) {
    int mask = sites.length - 1;
    int slot = hash(method, index) & mask;
    while (true) {
      Site site = sites[slot];
      if (site == null || (site.index == index && site.method.equals(method))) {
        return site;
      }
      slot = (slot + 1) & mask;
    }
  }

  private synchronized int addSite(StackWalker.StackFrame frame, Object method, int index) {
    Site existing = find(sites, method, index);
    if (existing != null) {
      return existing.number;
    }
    int number = addFrame(frameOf(frame));
    if (number != NONE) {
      if (2 * ++siteCount > sites.length) {
        sites = grown(sites);
      }
      put(sites, new Site(method, index, number));
    }
    return number;
  }

  private synchronized int addScope(String name) {
    Integer existing = scopes.get(name);
    if (existing != null) {
      return existing;
    }
    int number = addFrame(new Frame(name, SCOPE_FILE, 0));
    if (number != NONE) {
      scopes.put(name, number);
    }
    return number;
  }

  private int addFrame(Frame frame) {
    if (frames.size() == maxFrames) {
      dropped++;
      return NONE;
    }
    frames.add(frame);
    return frames.size();
  }

  private static Frame frameOf(StackWalker.StackFrame frame) {
    String file = frame.getFileName();
    return new Frame(
        frame.getClassName() + "." + frame.getMethodName(),
        file == null ? "??" : file,
        Math.max(0, frame.getLineNumber()));
  }

  private static @Nullable Site[] grown(@Nullable Site[] from) {
    @Nullable Site[] grown = new Site[2 * from.length];
    for (Site site : from) {
      if (site != null) {
        put(grown, site);
      }
    }
    return grown;
  }

  private static void put(@Nullable Site[] sites, Site site) {
    int mask = sites.length - 1;
    int slot = hash(site.method, site.index) & mask;
    while (sites[slot] != null) {
      slot = (slot + 1) & mask;
    }
    sites[slot] = site;
  }

  private static int hash(Object method, int index) {
    return (int) (((((long) method.hashCode() << 32) ^ index) * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
