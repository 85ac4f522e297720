package dev.vramscope.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tasks that run at the same time; their results are in the order of the tasks. */
final class Parallel {
  private Parallel() {}

  /**
   * Runs tasks.
   *
   * @throws RuntimeException of the first task that failed
   */
  static <T> List<T> run(List<Callable<T>> tasks, int threads) {
    if (threads == 1 || tasks.size() <= 1) {
      return tasks.stream().map(Parallel::call).toList();
    }
    try (ExecutorService executor =
        Executors.newFixedThreadPool(
            Math.min(threads, tasks.size()), Thread.ofPlatform().name("plan-", 0).factory())) {
      List<Future<T>> futures = tasks.stream().map(executor::submit).toList();
      List<T> results = new ArrayList<>();
      try {
        for (Future<T> future : futures) {
          results.add(future.get());
        }
      } catch (InterruptedException _) {
        executor.shutdownNow();
        Thread.currentThread().interrupt();
        throw new CancellationException("The replays were interrupted.");
      } catch (ExecutionException failed) {
        executor.shutdownNow();
        if (failed.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException("A replay failed.", failed.getCause());
      }
      return results;
    }
  }

  private static <T> T call(Callable<T> task) {
    try {
      return task.call();
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IllegalStateException("A replay failed.", failed);
    }
  }
}
