package dev.vramscope.web.request;

import dev.vramscope.web.order.RequestOrder;
import dev.vramscope.work.WorkKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A request that computes for long each time: {@link RequestOrder} lets it take turns. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Heavy {
  /** The kind of work. */
  WorkKind value();
}
