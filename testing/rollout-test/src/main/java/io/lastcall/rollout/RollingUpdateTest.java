package io.lastcall.rollout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A JUnit test that has a {@link RollingUpdate} as its parameter, named after class and method. No
 * verdict aborts it. Needs {@code junit-jupiter-api}.
 */
@Test
@ExtendWith(RollingUpdateExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RollingUpdateTest {}
