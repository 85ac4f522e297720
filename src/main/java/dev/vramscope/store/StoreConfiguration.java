package dev.vramscope.store;

import com.zaxxer.hikari.HikariDataSource;
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
  static HikariDataSource dataSource(DataFolder folder) {
    HikariDataSource database = new HikariDataSource();
    database.setPoolName("database");
    database.setJdbcUrl(folder.databaseUrl());
    database.setUsername("sa");
    database.setPassword("");
    database.setMaximumPoolSize(16);
    // A database that closed itself on a full disk is opened again by the next connection; those
    // from before are found out when they are asked for.
    database.setConnectionTestQuery("select 1");
    return database;
  }
}
