package dev.vramscope.web;

import dev.vramscope.model.JsonEscapes;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.display.ConstantNames;
import dev.vramscope.web.display.Glossary;
import dev.vramscope.web.display.GroupedDigits;
import dev.vramscope.web.order.WorkSettings;
import dev.vramscope.web.problem.ProblemReportValve;
import dev.vramscope.web.problem.Problems;
import dev.vramscope.web.request.EntityTags;
import dev.vramscope.web.security.WebSettings;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.web.whatif.StoredReplays;
import dev.vramscope.web.whatif.StoredRuns;
import dev.vramscope.whatif.replays.WhatIfJobs;
import dev.vramscope.work.Gate;
import dev.vramscope.work.HeavyWork;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.tags.Tag;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.JacksonModule;

/** Beans and resource handlers of the web package. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({WebSettings.class, WorkSettings.class})
class WebConfiguration implements WebMvcConfigurer {
  private final EntityTags tags;

  WebConfiguration(EntityTags tags) {
    this.tags = tags;
  }

  @Bean
  static HeavyWork heavyWork(WorkSettings settings) {
    return new HeavyWork(
        HeavyWork.turnsOf(Runtime.getRuntime().availableProcessors()), settings.maxWait());
  }

  /** For requests that are answered at once; more than processors, since some take a while. */
  @Bean
  static Gate answering() {
    return new Gate(2 * Runtime.getRuntime().availableProcessors());
  }

  @Bean
  static StoredReplays storedReplays(SnapshotStore store) {
    return new StoredReplays(store);
  }

  @Bean
  static WhatIfJobs whatIfJobs(StoredReplays stored, SnapshotCache snapshots, HeavyWork work) {
    return new WhatIfJobs(
        stored::of, new StoredRuns(snapshots)::of, StoredRuns::sentenceIfDeleted, work);
  }

  @Bean
  static SnapshotCache snapshotCache(
      SnapshotStore store, StoredReplays replays, HeavyWork work, WebSettings settings) {
    return SnapshotCache.of(store, replays::of, work, settings.snapshotCacheBytes());
  }

  /** Added after Spring Boot's own valve, which then finds the response written. */
  @Bean
  static WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> problemReports(
      ObjectProvider<Problems> problems) {
    return factory ->
        factory.addContextCustomizers(
            context ->
                context
                    .getParent()
                    .getPipeline()
                    .addValve(new ProblemReportValve(problems.getObject())));
  }

  @Bean
  static JsonFactoryBuilderCustomizer escapesInJson() {
    return factory -> factory.characterEscapes(new JsonEscapes());
  }

  @Bean
  static JacksonModule constantNamesInJson() {
    return ConstantNames.jsonModule();
  }

  @Bean
  static Glossary glossary() {
    return Glossary.load();
  }

  @Bean
  static OpenAPI apiDescription(@Value("${spring.application.version:unknown}") String version) {
    return new OpenAPI()
        .tags(
            Stream.of("Snapshots", "Logs", "Analyses", "Charts", "Allocators", "Lab", "Status")
                .map(name -> new Tag().name(name))
                .toList())
        .info(
            new Info()
                .title("vramscope")
                .version(version)
                .description(
                    "Where the bytes of GPU memory are, and why a request failed. Errors are"
                        + " problem details (RFC 9457) with two further members: where (byte"
                        + " offset, path or parameter) and next (what you can do)."));
  }

  /** A page has one URL; with a slash at its end it redirects there. */
  @Bean
  static UrlHandlerFilter trailingSlashFilter() {
    return UrlHandlerFilter.trailingSlashHandler(
            "/snapshots/**", "/live/**", "/learn/**", "/about/**")
        .redirect(HttpStatus.PERMANENT_REDIRECT)
        .build();
  }

  @Override
  public void addFormatters(FormatterRegistry registry) {
    registry.addConverter(new GroupedDigits());
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(tags).addPathPatterns("/api/v1/snapshots/**");
  }

  /** File names in {@code /app} contain a content hash, so browsers may cache them forever. */
  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/app/**")
        .addResourceLocations("classpath:/static/app/")
        .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable());
  }
}
