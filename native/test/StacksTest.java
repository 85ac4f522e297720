import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The stack helper, from Java: {@code java StacksTest.java LIBRARY} checks it, {@code ... LIBRARY
 * bench} measures it. Nothing but the JDK, so that CTest can run it.
 */
public final class StacksTest {
  private static final int FRAME_BYTES = 16;
  private static final int MAX_FRAMES = 128;
  private static final int UNKNOWN_METHOD = -4;

  private static MethodHandle start;
  private static MethodHandle take;
  private static MethodHandle describe;

  private StacksTest() {}

  public static void main(String[] arguments) throws Throwable {
    bind(Path.of(arguments[0]));
    check(
        (int) take.invokeExact(MemorySegment.NULL, 1) == -2, "taking before the start is refused");
    long before = System.nanoTime();
    int how = (int) start.invokeExact();
    System.out.printf("start: %d, %d ms%n", how, (System.nanoTime() - before) / 1_000_000);
    check(how == 1, "this JVM has the fast walk");
    check((int) start.invokeExact() == how, "a second start answers the same");
    if (arguments.length > 1) {
      bench();
      return;
    }
    aStackIsWhatStackWalkerSees();
    virtualThreadsHaveStacks();
    garbageIsRefused();
    textIsCutToItsPlace();
    aMethodOfAnUnloadedClassIsUnknown();
    threadsTakeWhileClassesLoad();
  }

  private static void bind(Path library) {
    Linker linker = Linker.nativeLinker();
    SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
    start =
        linker.downcallHandle(
            symbols.find("vramscope_stacks_start").orElseThrow(), FunctionDescriptor.of(JAVA_INT));
    take =
        linker.downcallHandle(
            symbols.find("vramscope_stacks_take").orElseThrow(),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    describe =
        linker.downcallHandle(
            symbols.find("vramscope_stacks_describe").orElseThrow(),
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      System.err.println("not so: " + what);
      System.exit(1);
    }
  }

  private static MemorySegment frames(Arena arena) {
    return arena.allocate(MAX_FRAMES * (long) FRAME_BYTES, 8);
  }

  private static long method(MemorySegment frames, int index) {
    return frames.get(JAVA_LONG, index * (long) FRAME_BYTES + 8);
  }

  private static int bci(MemorySegment frames, int index) {
    return frames.get(JAVA_INT, index * (long) FRAME_BYTES);
  }

  /** "class\nmethod\nfile\nline", or null for an unknown method. */
  private static String text(long method, int bci) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(1000);
      int length = (int) describe.invokeExact(method, bci, text, 1000);
      return length < 0 ? null : text.getString(0);
    }
  }

  /** This program's own frames of the present stack, as "method line". */
  private static List<String> ownFrames() throws Throwable {
    List<String> own = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frames = frames(arena);
      int count = (int) take.invokeExact(frames, MAX_FRAMES);
      for (int i = 0; i < count; i++) {
        String text = text(method(frames, i), bci(frames, i));
        check(text != null, "every frame has a name");
        String[] parts = text.split("\n");
        if (parts[0].equals("StacksTest") && !parts[1].equals("ownFrames")) {
          check(parts[2].equals("StacksTest.java"), "the file is known");
          own.add(parts[1] + " " + parts[3]);
        }
      }
    }
    return own;
  }

  private static List<String> walkedFrames() {
    return StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
        .walk(
            all ->
                all.filter(frame -> frame.getClassName().equals("StacksTest"))
                    .filter(frame -> !frame.getMethodName().equals("walkedFrames"))
                    .map(frame -> frame.getMethodName() + " " + frame.getLineNumber())
                    .toList());
  }

  private static void aStackIsWhatStackWalkerSees() throws Throwable {
    for (int round = 0;
        round < 20_000;
        round++) { // interpreted, then compiled twice, with inlining
      deeper(round % 40);
    }
  }

  private static void deeper(int levels) throws Throwable {
    if (levels > 0) {
      deeper(levels - 1);
    } else {
      compare();
    }
  }

  private static void compare() throws Throwable {
    List<String> taken = ownFrames(), walked = walkedFrames(); // on one line, as it is compared
    check(taken.equals(walked), taken + " is " + walked);
  }

  private static void virtualThreadsHaveStacks() throws Throwable {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(StacksTest::compareChecked).get(10, TimeUnit.SECONDS);
    }
  }

  private static Void compareChecked() throws Exception {
    try {
      List<String> taken = ownFrames();
      check(taken.getFirst().startsWith("compareChecked "), "a virtual thread's stack is " + taken);
      return null;
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  private static void garbageIsRefused() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(64);
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 100_000; i++) {
        long garbage = i < 100 ? i : random.nextLong();
        check(
            (int) describe.invokeExact(garbage, i, text, 64) == UNKNOWN_METHOD,
            garbage + " is no method");
      }
      check((int) take.invokeExact(MemorySegment.NULL, 5) < 0, "frames need a place");
      check((int) take.invokeExact(text, 0) < 0, "and room");
      check((int) take.invokeExact(text, -1) < 0, "and not less");
      check((int) take.invokeExact(text, 4) == 4, "no more than there is room for");
    }
  }

  private static void textIsCutToItsPlace() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frames = frames(arena);
      int count = (int) take.invokeExact(frames, MAX_FRAMES);
      long main = method(frames, count - 1);
      int bci = bci(frames, count - 1);
      String whole = text(main, bci);
      MemorySegment text = arena.allocate(64);
      text.fill((byte) 'x');
      check(
          (int) describe.invokeExact(main, bci, text, 10) == whole.length(),
          "the whole length is told");
      check(text.getString(0).equals(whole.substring(0, 9)), "nine characters and an end");
      check(text.get(JAVA_BYTE, 10) == 'x', "and nothing behind it");
    }
  }

  private static void aMethodOfAnUnloadedClassIsUnknown() throws Throwable {
    long method = methodOfAClassThatGoes();
    for (int i = 0; i < 50 && text(method, 0) != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    check(text(method, 0) == null, "the class has been unloaded, and its method is unknown");
  }

  /** The method of a proxy class, whose loader nobody keeps. */
  private static long methodOfAClassThatGoes() throws Throwable {
    var loader = new URLClassLoader(new URL[0], StacksTest.class.getClassLoader());
    long[] found = new long[1];
    Runnable proxy =
        (Runnable)
            Proxy.newProxyInstance(
                loader,
                new Class<?>[] {Runnable.class, Callable.class},
                (self, called, arguments) -> {
                  found[0] = callerWith("$Proxy");
                  return null;
                });
    proxy.run();
    check(found[0] != 0, "the proxy is on the stack");
    check(text(found[0], 0) != null, "and known");
    return found[0];
  }

  private static long callerWith(String name) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frames = frames(arena);
      int count = (int) take.invokeExact(frames, MAX_FRAMES);
      for (int i = 0; i < count; i++) {
        String text = text(method(frames, i), bci(frames, i));
        if (text != null && text.contains(name)) {
          return method(frames, i);
        }
      }
      return 0;
    }
  }

  private static void threadsTakeWhileClassesLoad() throws Throwable {
    try (var threads = Executors.newFixedThreadPool(8)) {
      var done = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 8; i++) {
        done.add(threads.submit(StacksTest::takeMany));
      }
      for (int i = 0; i < 300; i++) {
        methodOfAClassThatGoes();
      }
      for (var one : done) {
        check(one.get(60, TimeUnit.SECONDS) > 0, "every thread found its stacks");
      }
    }
  }

  private static Integer takeMany() throws Exception {
    int found = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frames = frames(arena);
      for (int i = 0; i < 20_000; i++) {
        int count = (int) take.invokeExact(frames, MAX_FRAMES);
        check(count > 0 || count == -3, "a stack or a clear no");
        found += count > 0 ? 1 : 0;
      }
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
    return found;
  }

  // ---- the benchmark: a stack of so many frames, hashed and found in a table

  private static final long[] table = new long[1 << 16];
  private static long sink;

  private static long intern(MemorySegment frames, int count) {
    long hash = count;
    for (int i = 0; i < count; i++) {
      hash = (hash ^ method(frames, i)) * 0x9e3779b97f4a7c15L;
      hash = (hash ^ bci(frames, i)) * 0xbf58476d1ce4e5b9L;
    }
    int slot = (int) (hash >>> 48);
    if (table[slot] != hash) {
      table[slot] = hash;
    }
    return hash;
  }

  private static void takeAt(int levels, MemorySegment frames, int rounds) throws Throwable {
    if (levels > 0) {
      takeAt(levels - 1, frames, rounds);
      return;
    }
    for (int i = 0; i < rounds; i++) {
      int count = (int) take.invokeExact(frames, MAX_FRAMES);
      sink += intern(frames, count);
    }
  }

  private static int countAt(int levels, MemorySegment frames) throws Throwable {
    return levels > 0 ? countAt(levels - 1, frames) : (int) take.invokeExact(frames, MAX_FRAMES);
  }

  private static void bench() throws Throwable {
    Thread thread =
        new Thread(StacksTest::benchUnchecked); // so that the launcher's frames do not count
    thread.start();
    thread.join();
  }

  private static void benchUnchecked() {
    var cpu = ManagementFactory.getThreadMXBean(); // not the clock: other programs run too
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment frames = frames(arena);
      for (int wanted : new int[] {10, 30}) {
        int levels = wanted - countAt(0, frames);
        double[] nanos = new double[15];
        for (int round = 0; round < nanos.length; round++) {
          long before = cpu.getCurrentThreadCpuTime();
          for (int i = 0; i < 2_000; i++) {
            takeAt(levels, frames, 50); // through the frames anew, so that they are compiled
          }
          nanos[round] = (cpu.getCurrentThreadCpuTime() - before) / 100_000.0;
        }
        Arrays.sort(nanos, 5, nanos.length); // the first five warm up
        System.out.printf(
            "%d frames, interned: median %.0f ns of CPU, %.0f to %.0f%n",
            countAt(levels, frames), nanos[10], nanos[5], nanos[14]);
      }
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
    System.out.println(sink == 0 ? "" : "done");
  }
}
