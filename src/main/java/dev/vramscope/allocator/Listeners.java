package dev.vramscope.allocator;

import java.util.Arrays;

/**
 * The listeners of one allocator. Reading needs no garbage; the allocator's lock guards all calls.
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
      listener.event(event, address, bytes, stream, pool);
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
    for (AllocatorListener listener : listeners) {
      listener.outOfMemory(bytes, deviceFreeBytes, stream, pool);
    }
  }

  public void annotated(long address, long bytes, int stream, int pool, String text) {
    for (AllocatorListener listener : listeners) {
      listener.annotated(address, bytes, stream, pool, text);
    }
  }

  public void beginOperation(String name) {
    for (AllocatorListener listener : listeners) {
      listener.beginOperation(name);
    }
  }

  public void endOperation() {
    for (AllocatorListener listener : listeners) {
      listener.endOperation();
    }
  }

  public void stateTaken() {
    for (AllocatorListener listener : listeners) {
      listener.stateTaken();
    }
  }
}
