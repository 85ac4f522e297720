package dev.vramscope.recorder;

import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The distinct frames of contexts, numbered from 1: Java frames and names of scopes.
 *
 * <pre>
 *   sites[hash(class, bytecode index)…] = Site(class, index, frame number
 *                                              or ASK when the index does not name the method)
 * </pre>
 *
 * Sites are found without waiting; new ones are added by one thread at a time. Bounded: a frame
 * that finds no room has number {@link #NONE} and is left out of its stack, which is counted.
 * Classes of recorded frames stay loaded as long as the recorder.
 */
final class FrameTable {
  /** The number of no frame. */
  static final int NONE = 0;

  /** The source file of a scope. */
  static final String SCOPE_FILE = "scope";

  private static final int ASK = -1;

  private record Site(Class<?> type, int index, int number) {}

  private record Method(Class<?> type, int index, String name, String descriptor) {}

  private final int maxFrames;
  private final ConcurrentHashMap<String, Integer> scopes = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Method, Integer> asked = new ConcurrentHashMap<>();
  private final Map<Class<?>, MethodSites> sitesOf = new HashMap<>();
  private final List<Frame> frames = new ArrayList<>();
  private volatile @Nullable Site[] sites = new Site[1024];
  private int siteCount;
  private long dropped;

  FrameTable(int maxFrames) {
    this.maxFrames = maxFrames;
  }

  /** The number of a scope's name. */
  int scope(String name) {
    Integer known = scopes.get(name);
    return known != null ? known : addScope(name);
  }

  /** The number of a frame that a stack walk shows. */
  int number(StackWalker.StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    int index = frame.getByteCodeIndex();
    Site site = find(sites, type, index);
    int number = site != null ? site.number : addSite(frame, type, index);
    return number == ASK ? ask(frame, type, index) : number;
  }

  synchronized Frame frame(int number) {
    return frames.get(number - 1);
  }

  synchronized long droppedCount() {
    return dropped;
  }

  // A racy read is enough: a Site is immutable, so one that is seen is seen whole.
  private static @Nullable Site find(@Nullable Site[] sites, Class<?> type, int index) {
    int mask = sites.length - 1;
    int slot = hash(type, index) & mask;
    while (true) {
      Site site = sites[slot];
      if (site == null || (site.type == type && site.index == index)) {
        return site;
      }
      slot = (slot + 1) & mask;
    }
  }

  private synchronized int addSite(StackWalker.StackFrame frame, Class<?> type, int index) {
    Site known = find(sites, type, index);
    if (known != null) {
      return known.number;
    }
    boolean indexNamesMethod = sitesOf.computeIfAbsent(type, MethodSites::of).confirms(frame);
    int number = indexNamesMethod ? addFrame(frameOf(frame)) : ASK;
    if (number == NONE || siteCount == maxFrames) {
      return number;
    }
    if (2 * ++siteCount > sites.length) {
      sites = grown(sites);
    }
    put(sites, new Site(type, index, number));
    return number;
  }

  private int ask(StackWalker.StackFrame frame, Class<?> type, int index) {
    Method method = new Method(type, index, frame.getMethodName(), frame.getDescriptor());
    Integer known = asked.get(method);
    if (known != null) {
      return known;
    }
    synchronized (this) {
      Integer added = asked.get(method);
      if (added != null) {
        return added;
      }
      int number = addFrame(frameOf(frame));
      if (number != NONE) {
        asked.put(method, number);
      }
      return number;
    }
  }

  private synchronized int addScope(String name) {
    Integer known = scopes.get(name);
    if (known != null) {
      return known;
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
    int slot = hash(site.type, site.index) & mask;
    while (sites[slot] != null) {
      slot = (slot + 1) & mask;
    }
    sites[slot] = site;
  }

  private static int hash(Class<?> type, int index) {
    return (int) (((((long) type.hashCode() << 32) ^ index) * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
