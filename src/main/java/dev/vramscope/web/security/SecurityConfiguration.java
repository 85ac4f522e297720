package dev.vramscope.web.security;

import dev.vramscope.web.problem.Problems;
import dev.vramscope.web.problem.SecurityHeaders;
import dev.vramscope.web.request.EntityTags;
import io.github.bucket4j.TimeMeter;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.authentication.logout.HeaderWriterLogoutHandler;
import org.springframework.security.web.authentication.logout.LogoutFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.ClearSiteDataHeaderWriter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.NegatedRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Access control: host name, security headers, origin, and, if a token is set, session or bearer
 * token, in this order. No filter reads a request parameter except for the login form: reading one
 * would parse the body of an upload.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
  private static final String BEARER = "Bearer ";

  /** The login form, its assets, and the health checks. */
  private static final RequestMatcher PUBLIC =
      new OrRequestMatcher(
          path(LoginPage.PATH), path("/app/**"), path("/icon.svg"), path("/actuator/health/**"));

  /** Removes the chart data of {@link EntityTags}. Browsers obey it over HTTPS only. */
  private static final HeaderWriter CLEAR_CACHE =
      new ClearSiteDataHeaderWriter(ClearSiteDataHeaderWriter.Directive.CACHE);

  @Bean
  static HttpFirewall hostCheck(WebSettings settings) {
    return new HostCheck(new HostNames(settings.hostNames(), settings.token() != null));
  }

  @Bean
  static RequestRejectedHandler rejectedRequests(Problems problems) {
    return new RefusedAccess(problems)::rejectRequest;
  }

  @Bean
  static SecurityFilterChain accessControl(
      HttpSecurity http, WebSettings settings, Problems problems) {
    http.csrf(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .addFilterBefore(new CrossSiteFilter(problems), LogoutFilter.class);
    String token = settings.token();
    if (token == null) {
      return http.headers(headers -> writeAtOnce(headers))
          .logout(AbstractHttpConfigurer::disable)
          .sessionManagement(AbstractHttpConfigurer::disable)
          .securityContext(AbstractHttpConfigurer::disable)
          .servletApi(AbstractHttpConfigurer::disable)
          .anonymous(AbstractHttpConfigurer::disable)
          .build();
    }
    RefusedAccess refused = new RefusedAccess(problems);
    TokenCheck check =
        new TokenCheck(new AccessToken(token), new GuessLimit(TimeMeter.SYSTEM_NANOTIME));
    return http.headers(headers -> writeAtOnce(headers).addHeaderWriter(SecurityHeaders.NOT_STORED))
        .authenticationManager(check)
        .authorizeHttpRequests(
            requests -> requests.requestMatchers(PUBLIC).permitAll().anyRequest().authenticated())
        .exceptionHandling(refusal -> refusal.authenticationEntryPoint(refused::askForToken))
        .addFilterBefore(bearer(check, refused), UsernamePasswordAuthenticationFilter.class)
        .formLogin(
            form ->
                form.loginPage(LoginPage.PATH)
                    .passwordParameter(LoginPage.TOKEN_FIELD)
                    .successHandler(
                        (request, response, _) ->
                            response.sendRedirect(
                                ReturnPath.of(request.getParameter(LoginPage.NEXT_FIELD))))
                    .failureHandler(refused::rejectLogin))
        .logout(
            logout ->
                logout
                    .logoutRequestMatcher(path(HttpMethod.POST, LoginPage.LOGOUT_PATH))
                    .addLogoutHandler(new HeaderWriterLogoutHandler(CLEAR_CACHE))
                    .logoutSuccessUrl(LoginPage.PATH))
        .build();
  }

  /** Headers are written before the controller runs, so that a stream needs no wrapper. */
  private static HeadersConfigurer<HttpSecurity> writeAtOnce(
      HeadersConfigurer<HttpSecurity> headers) {
    headers.defaultsDisabled().addHeaderWriter(SecurityHeaders.ALWAYS);
    return headers.withObjectPostProcessor(
        new ObjectPostProcessor<HeaderWriterFilter>() {
          @Override
          public <F extends HeaderWriterFilter> F postProcess(F filter) {
            filter.setShouldWriteHeadersEagerly(true);
            return filter;
          }
        });
  }

  /** Checks {@code Authorization: Bearer TOKEN}; such a request has no session. */
  private static AuthenticationFilter bearer(TokenCheck check, RefusedAccess refused) {
    AuthenticationFilter filter =
        new AuthenticationFilter(check, SecurityConfiguration::bearerToken);
    filter.setRequestMatcher(new NegatedRequestMatcher(PUBLIC));
    filter.setSuccessHandler((_, _, _) -> {});
    filter.setFailureHandler(refused::rejectBearer);
    return filter;
  }

  private static @Nullable Authentication bearerToken(HttpServletRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return null;
    }
    var candidate =
        UsernamePasswordAuthenticationToken.unauthenticated("", header.substring(BEARER.length()));
    candidate.setDetails(new WebAuthenticationDetails(request));
    return candidate;
  }

  private static RequestMatcher path(String pattern) {
    return PathPatternRequestMatcher.withDefaults().matcher(pattern);
  }

  private static RequestMatcher path(HttpMethod method, String pattern) {
    return PathPatternRequestMatcher.withDefaults().matcher(method, pattern);
  }
}
