package dev.vramscope.web.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.store.StoreFixture;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkKind;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

class RequestCostsTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private StoreFixture fixture;

  @SuppressWarnings("NullAway.Init")
  private RequestCosts costs;

  /** Pages without an answer: only their costs are asked for. */
  public static final class Pages {
    /** Any page. */
    public String show() {
      return "";
    }
  }

  @BeforeEach
  void mapPages() throws NoSuchMethodException {
    fixture = new StoreFixture(folder);
    RequestMappingHandlerMapping handlers = new RequestMappingHandlerMapping();
    handlers.setApplicationContext(new StaticWebApplicationContext());
    handlers.afterPropertiesSet();
    for (String path : new String[] {"/", "/snapshots/{id}", "/snapshots/{id}/budget"}) {
      handlers.registerMapping(
          RequestMappingInfo.paths(path).options(handlers.getBuilderConfiguration()).build(),
          new Pages(),
          Pages.class.getMethod("show"));
    }
    costs =
        new RequestCosts(
            handlers,
            SnapshotCache.of(
                fixture.store(),
                (_, _) -> KnownReplays.NONE,
                new HeavyWork(1, Duration.ofMinutes(1)),
                1));
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  void snapshotThatTakesLongTakesTurns() {
    assertThat(of("/snapshots/a/budget"))
        .isInstanceOfSatisfying(RequestCosts.Cost.Quick.class, quick -> quick.whenOverdue().run());
    for (String path : new String[] {"/snapshots/a/budget", "/snapshots/a"}) {
      assertThat(of(path))
          .as(path)
          .isInstanceOfSatisfying(
              RequestCosts.Cost.Heavy.class,
              heavy -> assertThat(heavy.kind()).isEqualTo(WorkKind.ANALYSIS));
    }
    assertThat(of("/snapshots/b/budget")).isInstanceOf(RequestCosts.Cost.Quick.class);
    assertThat(of("/")).isInstanceOf(RequestCosts.Cost.Quick.class);
  }

  private RequestCosts.Cost of(String path) {
    MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
    request.setRequestURI(path);
    return costs.of(request);
  }
}
