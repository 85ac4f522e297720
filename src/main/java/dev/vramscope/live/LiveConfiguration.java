package dev.vramscope.live;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

/** Binds the bounds. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LiveSettings.class)
class LiveConfiguration {}
