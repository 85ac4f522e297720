package dev.vramscope.live;

import dev.vramscope.device.cuda.CudaDriver;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Binds {@link LiveSettings} and creates the driver. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LiveSettings.class)
class LiveConfiguration {
  @Bean
  CudaDriver cudaDriver() {
    return CudaDriver.configured();
  }
}
