package dev.vramscope.web.connection;

/** Why the server ended a connection in service. */
public enum EndReason {
  /** The request body arrives more slowly than the minimum. */
  TOO_SLOW("the client sent less than the minimum (vramscope.connections.min-pace)"),
  /** The client sent nothing at all. */
  SILENT("the client sent nothing for too long (server.tomcat.connection-timeout)"),
  /** The client sent nothing while others waited to upload. */
  DISPLACED("the client sent nothing while another upload waited"),
  /** The request failed after the beginning of its response was sent. */
  FAILED("the response failed"),
  /** The client closed the connection before the response. */
  LEFT("the client has closed the connection"),
  /** The server stops, and the client sent or received nothing, or the time is over. */
  STOPPING("the server is stopping");

  private final String text;

  EndReason(String text) {
    this.text = text;
  }

  /** A clause for log and response. */
  public String text() {
    return text;
  }
}
