package dev.vramscope.allocator;

import dev.vramscope.model.TraceAction;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The listeners of one allocator. Notifying them allocates no memory for the frequent events; the
 * allocator's lock guards all calls.
 *
 * <p>Callbacks run in the middle of operations, when the allocator's structures may already have
 * changed, so no exception of a listener propagates: a listener that throws is removed, and the
 * exception is passed to the thread's uncaught-exception handler.
 */
public final class Listeners implements AllocatorListener {
  private static final AllocatorListener[] NONE = {};

  private AllocatorListener[] listeners = NONE;

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

  @Override
  public void event(TraceAction action, long address, long bytes, int stream, int pool) {
    for (AllocatorListener listener : listeners) {
      try {
        listener.event(action, address, bytes, stream, pool);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  @Override
  public void blockAllocated(long address, long blockBytes) {
    for (AllocatorListener listener : listeners) {
      try {
        listener.blockAllocated(address, blockBytes);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  @Override
  public void freePending(long address, int stream) {
    for (AllocatorListener listener : listeners) {
      try {
        listener.freePending(address, stream);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  @Override
  public void freeCompleted(long address, int stream) {
    for (AllocatorListener listener : listeners) {
      try {
        listener.freeCompleted(address, stream);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    notifyEach(listener -> listener.outOfMemory(bytes, deviceFreeBytes, stream, pool));
  }

  @Override
  public void requestStep(RequestStep step, boolean isEnough, long bytes) {
    for (AllocatorListener listener : listeners) {
      try {
        listener.requestStep(step, isEnough, bytes);
      } catch (RuntimeException | Error e) {
        drop(listener, e);
      }
    }
  }

  /** Reports a step after which the request is still not served. */
  public void insufficientStep(RequestStep step, long bytes) {
    requestStep(step, /* isEnough= */ false, bytes);
  }

  @Override
  public void annotated(long address, long bytes, int stream, int pool, String text) {
    notifyEach(listener -> listener.annotated(address, bytes, stream, pool, text));
  }

  @Override
  public void beginOperation(String name) {
    notifyEach(listener -> listener.beginOperation(name));
  }

  @Override
  public void endOperation() {
    notifyEach(AllocatorListener::endOperation);
  }

  @Override
  public void stateCaptured() {
    notifyEach(AllocatorListener::stateCaptured);
  }

  /** For events that are rare enough to allocate a closure. */
  private void notifyEach(Consumer<AllocatorListener> callback) {
    for (AllocatorListener listener : listeners) {
      try {
        callback.accept(listener);
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
                "The allocator listener "
                    + listener.getClass().getName()
                    + " threw an exception and was removed. The allocator is not affected.",
                thrown));
  }
}
