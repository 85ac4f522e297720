package dev.vramscope.store;

import dev.vramscope.store.files.DataFiles;
import dev.vramscope.store.files.DataFolder;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.StoreSettings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans of the store. The data source is created here and not from Spring Boot's properties,
 * because the folder must be locked before the database is opened and until after it is closed.
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
  DataFiles dataFiles(DataFolder folder) {
    return folder.files();
  }

  @Bean
  Database dataSource(DataFolder folder) {
    return new Database(folder);
  }
}
