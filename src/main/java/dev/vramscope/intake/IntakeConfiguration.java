package dev.vramscope.intake;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

/** Binds the configuration properties. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({IntakeLimits.class, IntakeSettings.class})
class IntakeConfiguration {}
