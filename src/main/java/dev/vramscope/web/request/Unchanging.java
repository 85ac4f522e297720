package dev.vramscope.web.request;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a GET method below {@code /api/v1/snapshots/{id}}: while the process runs and the snapshot
 * exists, its successful answer depends on nothing but the URL. {@link EntityTags} gives it a tag.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Unchanging {}
