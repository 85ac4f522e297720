package dev.vramscope.store;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The store's parts. The database is made here and not by Spring Boot's properties because the
 * folder's lock must be held before the database is opened and until after it is closed.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(StoreSettings.class)
class StoreConfiguration {
  @Bean
  DataFolder dataFolder(StoreSettings settings) {
    return DataFolder.open(settings);
  }

  @Bean
  Spool spool(DataFolder folder) {
    return folder.spool();
  }

  @Bean
  DatabasePool dataSource(DataFolder folder) {
    return new DatabasePool(folder);
  }
}
