package dev.vramscope.web;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of a server that has stored {@link SnapshotShapes}. */
abstract class OnSnapshotShapes {
  @SuppressWarnings("NullAway.Init")
  static LocalServer server;

  /** The ids by shape. */
  @SuppressWarnings("NullAway.Init")
  static Map<String, String> shapes;

  @BeforeAll
  static void start() {
    server = LocalServer.start();
    shapes = SnapshotShapes.storeAll(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }
}
