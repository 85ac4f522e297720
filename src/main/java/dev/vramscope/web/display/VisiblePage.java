package dev.vramscope.web.display;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.thymeleaf.spring6.view.ThymeleafView;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;

/** A page as every template is rendered: through a {@link VisibleWriter}. */
final class VisiblePage extends ThymeleafView {
  @Override
  protected void renderFragment(
      @Nullable Set<String> selectors,
      Map<String, ?> model,
      HttpServletRequest request,
      HttpServletResponse response)
      throws Exception {
    super.renderFragment(selectors, model, request, new Response(response));
  }

  private static final class Response extends HttpServletResponseWrapper {
    private @Nullable PrintWriter writer;

    Response(HttpServletResponse response) {
      super(response);
    }

    @Override
    public PrintWriter getWriter() throws IOException {
      if (writer == null) {
        writer = new PrintWriter(new VisibleWriter(super.getWriter()));
      }
      return writer;
    }
  }

  /** Makes it the view of all templates. */
  @Configuration(proxyBeanMethods = false)
  static class ViewConfiguration {
    @Bean
    static BeanPostProcessor visiblePages() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
          if (bean instanceof ThymeleafViewResolver resolver) {
            resolver.setViewClass(VisiblePage.class);
          }
          return bean;
        }
      };
    }
  }
}
