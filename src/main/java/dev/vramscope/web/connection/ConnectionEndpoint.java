package dev.vramscope.web.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tomcat's endpoint, with a limit per client address and a list of the connections in service. */
final class ConnectionEndpoint extends NioEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionEndpoint.class);

  private final Set<ClientConnection> inService = ConcurrentHashMap.newKeySet();
  private volatile int maxPerAddress = Integer.MAX_VALUE;

  void setMaxPerAddress(int max) {
    maxPerAddress = max;
  }

  Collection<ClientConnection> inService() {
    return inService;
  }

  /** Closes a connection without a response: even its head would cost a buffer. */
  @Override
  protected boolean setSocketOptions(SocketChannel channel) {
    if (exceedsLimit(channel)) {
      destroySocket(channel);
      return false;
    }
    return super.setSocketOptions(channel);
  }

  private boolean exceedsLimit(SocketChannel channel) {
    if (getConnections().size() < maxPerAddress) {
      return false;
    }
    try {
      if (!(channel.getRemoteAddress() instanceof InetSocketAddress remote)) {
        return false;
      }
      String address = remote.getAddress().getHostAddress();
      Stream<String> others =
          getConnections().stream()
              .map(connection -> connection.getRemoteAddr())
              .filter(Objects::nonNull);
      if (openOf(address, others) >= maxPerAddress) {
        LOG.debug("Closed a connection from {}, which has {} others", address, maxPerAddress);
        return true;
      }
      return false;
    } catch (IOException disconnected) {
      return true;
    }
  }

  /** The connections of the client with this address, among those of the given ones. */
  static long openOf(String address, Stream<String> addresses) {
    String client = ClientNetwork.of(address);
    return addresses.filter(each -> client.equals(ClientNetwork.of(each))).count();
  }

  @Override
  protected NioChannel createChannel(SocketBufferHandler buffers) {
    return isSSLEnabled() ? super.createChannel(buffers) : new MeteredChannel(buffers);
  }

  @Override
  protected SocketProcessorBase<NioChannel> createSocketProcessor(
      SocketWrapperBase<NioChannel> socket, SocketEvent event) {
    return new Service(socket, event);
  }

  /** The work on a connection that has bytes: most of them are complete requests. */
  private final class Service extends SocketProcessor {
    Service(SocketWrapperBase<NioChannel> socket, SocketEvent event) {
      super(socket, event);
    }

    @Override
    protected void doRun() {
      if (!(socketWrapper instanceof NioSocketWrapper socket)
          || socket.getSocket().getIOChannel() == null) {
        super.doRun();
        return;
      }
      ClientConnection connection = new ClientConnection(socket);
      inService.add(connection);
      try {
        ScopedValue.where(ClientConnection.CURRENT, connection).run(super::doRun);
      } finally {
        inService.remove(connection);
      }
    }
  }
}
