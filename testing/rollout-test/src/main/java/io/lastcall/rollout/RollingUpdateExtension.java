package io.lastcall.rollout;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** What {@link RollingUpdateTest} does; JUnit makes it. */
public final class RollingUpdateExtension
    implements ParameterResolver, TestExecutionExceptionHandler {

  /** For JUnit. */
  public RollingUpdateExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RollingUpdate.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return new RollingUpdate()
        .name(
            context.getRequiredTestClass().getSimpleName()
                + "-"
                + context.getRequiredTestMethod().getName());
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    if (thrown instanceof InconclusiveException) {
      throw new TestAbortedException(thrown.getMessage(), thrown);
    }
    throw thrown;
  }
}
