package dev.vramscope.allocator;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The listeners of one allocator. Reading needs no garbage; the allocator's lock guards all calls.
 *
 * <p>They are called in the midst of operations, so that an exception of theirs must not come
 * through. Who throws is no longer called, and the exception goes where those go that nobody
 * catches.
 */
public final class Listeners {
  private static final AllocatorListener[] NOBODY = {};

  private AllocatorListener[] listeners = NOBODY;

  public boolean isEmpty() {
    return listeners.length == 0;
  }

  public void add(AllocatorListener listener) {
    listeners = Arrays.copyOf(listeners, listeners.length + 1);
    listeners[listeners.length - 1] = listener;
  }

  public void remove(AllocatorListener listener) {
    listeners =
        Arrays.stream(listeners).filter(l -> !l.equals(listener)).toArray(AllocatorListener[]::new);
  }

  public void event(AllocatorEvent event, long address, long bytes, int stream, int pool) {
    for (AllocatorListener listener : listeners) {
      try {
        listener.event(event, address, bytes, stream, pool);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  public void handedOut(long address, long blockBytes) {
    for (AllocatorListener listener : listeners) {
      listener.handedOut(address, blockBytes);
    }
  }

  public void waiting(long address, int stream) {
    for (AllocatorListener listener : listeners) {
      listener.waiting(address, stream);
    }
  }

  public void waited(long address, int stream) {
    for (AllocatorListener listener : listeners) {
      listener.waited(address, stream);
    }
  }

  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    tell(listener -> listener.outOfMemory(bytes, deviceFreeBytes, stream, pool));
  }

  public void annotated(long address, long bytes, int stream, int pool, String text) {
    tell(listener -> listener.annotated(address, bytes, stream, pool, text));
  }

  public void beginOperation(String name) {
    tell(listener -> listener.beginOperation(name));
  }

  public void endOperation() {
    tell(AllocatorListener::endOperation);
  }

  public void stateTaken() {
    tell(AllocatorListener::stateTaken);
  }

  /** What is rare enough for a closure. */
  private void tell(Consumer<AllocatorListener> news) {
    for (AllocatorListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  private void drop(AllocatorListener listener, Throwable thrown) {
    remove(listener);
    Thread thread = Thread.currentThread();
    thread
        .getUncaughtExceptionHandler()
        .uncaughtException(
            thread,
            new IllegalStateException(
                "The allocator's listener "
                    + listener.getClass().getName()
                    + " threw an exception. The allocator is as it was and calls it no more.",
                thrown));
  }
}
