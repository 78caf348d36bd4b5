package dev.slipway.acceptance;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One browser for all tests of pages; ended after the last of them. Without one they are left out.
 */
final class ChromiumOfClass implements ParameterResolver, ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return Chromium.isInstalled()
        ? ConditionEvaluationResult.enabled("there is a browser")
        : ConditionEvaluationResult.disabled("chromium is not installed");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Chromium.class;
  }

  @Override
  public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(ChromiumOfClass.class))
        .computeIfAbsent(context.getRequiredTestClass(), _ -> Chromium.start(), Chromium.class);
  }
}
