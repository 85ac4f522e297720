package dev.vramscope;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Skips a test, with the reason, where {@link ThirdPartyFiles} do not exist. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "dev.vramscope.ThirdPartyFiles#exist",
    disabledReason = "needs other people's files in ../shared, which cannot be published")
public @interface NeedsThirdPartyFiles {}
