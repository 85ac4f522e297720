package dev.vramscope.web;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of one running service, with an empty data folder for each class. */
abstract class OnServer {
  @SuppressWarnings("NullAway.Init")
  static LocalServer server;

  @BeforeAll
  static void startServer() {
    server = LocalServer.start();
  }

  @AfterAll
  static void stopServer() {
    if (server != null) { // Null if the start failed.
      server.close();
    }
  }
}
