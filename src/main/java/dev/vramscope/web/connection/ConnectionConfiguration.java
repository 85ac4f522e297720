package dev.vramscope.web.connection;

import java.time.Duration;
import org.apache.catalina.core.StandardContext;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties.ForwardHeadersStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Installs the limits in Tomcat. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ConnectionSettings.class)
class ConnectionConfiguration {
  /** Requests were ended or cut before Tomcat stops its servlets. */
  private static final long UNLOAD_DELAY_MILLIS = 200;

  private static final int UNLIMITED_MILLIS = -1;

  @Bean
  static ConnectionWatch connectionWatch(ConnectionSettings settings) {
    return new ConnectionWatch(settings);
  }

  @Bean
  static WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectionLimits(
      ConnectionWatch watch, ConnectionSettings settings, ServerProperties server) {
    return factory -> {
      factory.setProtocol(ConnectionProtocol.class.getName());
      factory.addConnectorCustomizers(
          connector -> {
            if (connector.getProtocolHandler() instanceof ConnectionProtocol protocol) {
              if (!isBehindProxy(server)) {
                protocol.endpoint().setMaxPerAddress(settings.maxPerAddress());
              }
              watch.watch(protocol.endpoint(), Duration.ofMillis(protocol.getConnectionTimeout()));
              if (!protocol.isSSLEnabled()) {
                // Tomcat's own limit counts also the time in which the server was too busy to read.
                protocol.setDisableUploadTimeout(false);
                protocol.setConnectionUploadTimeout(UNLIMITED_MILLIS);
              }
            }
          });
      factory.addContextCustomizers(
          context -> {
            if (context instanceof StandardContext standard) {
              standard.setUnloadDelay(UNLOAD_DELAY_MILLIS);
            }
          });
    };
  }

  private static boolean isBehindProxy(ServerProperties server) {
    ForwardHeadersStrategy strategy = server.getForwardHeadersStrategy();
    return strategy != null && strategy != ForwardHeadersStrategy.NONE;
  }
}
