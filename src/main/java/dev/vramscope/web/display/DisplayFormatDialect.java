package dev.vramscope.web.display;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.context.ITemplateContext;
import org.thymeleaf.dialect.AbstractProcessorDialect;
import org.thymeleaf.dialect.IExpressionObjectDialect;
import org.thymeleaf.engine.AttributeName;
import org.thymeleaf.expression.IExpressionObjectFactory;
import org.thymeleaf.model.IProcessableElementTag;
import org.thymeleaf.processor.IProcessor;
import org.thymeleaf.processor.element.AbstractAttributeTagProcessor;
import org.thymeleaf.processor.element.IElementTagStructureHandler;
import org.thymeleaf.standard.expression.StandardExpressions;
import org.thymeleaf.standard.processor.StandardXmlNsTagProcessor;
import org.thymeleaf.templatemode.TemplateMode;
import org.unbescape.html.HtmlEscape;

/**
 * The templates' dialect:
 *
 * <ul>
 *   <li>{@code #format}: a {@link DisplayFormat};
 *   <li>{@code <data vs:bytes="${n}">}: bytes in binary units; the exact number is the title, and
 *       the value by which a table is sorted;
 *   <li>{@code <span vs:name="${name}">}: a name with its middle elided if it is long;
 *   <li>{@code <a vs:term="id">}: a term with its definition from the {@link Glossary}.
 * </ul>
 */
@Component
final class DisplayFormatDialect extends AbstractProcessorDialect
    implements IExpressionObjectDialect {
  private static final String PREFIX = "vs";
  private static final int PRECEDENCE = 1300; // That of th:text.

  private final Glossary glossary;
  private final DisplayFormat format = new DisplayFormat();

  DisplayFormatDialect(Glossary glossary) {
    super("vramscope", PREFIX, PRECEDENCE);
    this.glossary = glossary;
  }

  @Override
  public Set<IProcessor> getProcessors(String prefix) {
    return Set.of(
        new BytesAttribute(),
        new NameAttribute(),
        new TermAttribute(),
        new StandardXmlNsTagProcessor(TemplateMode.HTML, prefix));
  }

  @Override
  public IExpressionObjectFactory getExpressionObjectFactory() {
    return new IExpressionObjectFactory() {
      @Override
      public Set<String> getAllExpressionObjectNames() {
        return Set.of("format");
      }

      @Override
      public Object buildObject(IExpressionContext context, String name) {
        return format;
      }

      @Override
      public boolean isCacheable(String name) {
        return true;
      }
    };
  }

  /** Set by pages of files of XLA's allocator. */
  private static final String IS_XLA = "isXla";

  private Glossary.Term term(ITemplateContext context, String id) {
    return Boolean.TRUE.equals(context.getVariable(IS_XLA))
        ? glossary.ofXla(id)
        : glossary.term(id);
  }

  private static @Nullable Object value(ITemplateContext context, String expression) {
    return StandardExpressions.getExpressionParser(context.getConfiguration())
        .parseExpression(context, expression)
        .execute(context);
  }

  /** {@code vs:bytes}: text in binary units, the exact number in the title. */
  private final class BytesAttribute extends AbstractAttributeTagProcessor {
    BytesAttribute() {
      super(TemplateMode.HTML, PREFIX, null, false, "bytes", true, PRECEDENCE, true);
    }

    @Override
    protected void doProcess(
        ITemplateContext context,
        IProcessableElementTag tag,
        AttributeName attribute,
        String expression,
        IElementTagStructureHandler element) {
      if (value(context, expression) instanceof Number bytes) {
        element.setAttribute("title", format.exact(bytes.longValue()));
        element.setAttribute("value", Long.toString(bytes.longValue()));
        element.setBody(format.bytes(bytes.longValue()), false);
      } else {
        element.setAttribute("class", "unknown");
        element.setBody("unknown", false);
      }
    }
  }

  /**
   * {@code vs:name}: a function's or file's name with its middle elided; the title has more of it.
   */
  private final class NameAttribute extends AbstractAttributeTagProcessor {
    private static final int LENGTH = 96;
    private static final int MAX_TITLE = 1_000;

    NameAttribute() {
      super(TemplateMode.HTML, PREFIX, null, false, "name", true, PRECEDENCE, true);
    }

    @Override
    protected void doProcess(
        ITemplateContext context,
        IProcessableElementTag tag,
        AttributeName attribute,
        String expression,
        IElementTagStructureHandler element) {
      String name = String.valueOf(value(context, expression));
      if (name.length() > LENGTH) {
        element.setAttribute("title", HtmlEscape.escapeHtml5Xml(format.elided(name, MAX_TITLE)));
      }
      element.setAttribute("translate", "no");
      element.setBody(HtmlEscape.escapeHtml5Xml(format.elided(name, LENGTH)), false);
    }
  }

  /**
   * {@code vs:term="id"} or {@code vs:term="${expression}"} on a link: the title is the definition,
   * the target is the page of the idea that explains it, or the glossary. {@code terms.ts} turns
   * the title into a tooltip for keyboard and touch.
   */
  private final class TermAttribute extends AbstractAttributeTagProcessor {
    TermAttribute() {
      super(TemplateMode.HTML, PREFIX, "a", false, "term", true, PRECEDENCE - 1, true);
    }

    @Override
    protected void doProcess(
        ITemplateContext context,
        IProcessableElementTag tag,
        AttributeName attribute,
        String expression,
        IElementTagStructureHandler element) {
      String id =
          expression.startsWith("${") ? String.valueOf(value(context, expression)) : expression;
      Glossary.Term term = term(context, id);
      element.setAttribute("class", "term");
      element.setAttribute("href", term.href());
      element.setAttribute("title", HtmlEscape.escapeHtml5(term.definition()));
    }
  }
}
