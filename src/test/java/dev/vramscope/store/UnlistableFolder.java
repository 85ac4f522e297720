package dev.vramscope.store;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Replaces a folder by one that can be opened but not listed, as on a damaged disk: Linux has no
 * list of the network of a process that has ended, and whose parent has not waited for it.
 */
public final class UnlistableFolder implements AutoCloseable {
  private final Path folder;
  private final Path content;
  private final Process parent;

  public UnlistableFolder(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    content = folder.resolveSibling("").resolveSibling("content of " + folder.getFileName());
    parent = new ProcessBuilder("sh", "-c", "sleep 0.2 & echo $!; exec sleep 600").start();
    BufferedReader child = parent.inputReader();
    Path network = Path.of("/proc", child.readLine(), "net");
    await().pollInterval(Duration.ofMillis(10)).until(() -> !isListed(network));
    Files.move(folder, content);
    Files.createSymbolicLink(folder, network);
  }

  public static boolean isPossible() {
    return Files.isDirectory(Path.of("/proc/self/net"));
  }

  private static boolean isListed(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(_ -> {});
      return true;
    } catch (DirectoryIteratorException failed) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    parent.destroy();
    Files.delete(folder);
    Files.move(content, folder);
  }
}
