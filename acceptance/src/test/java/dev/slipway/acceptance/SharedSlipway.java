package dev.slipway.acceptance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One server for all tests that leave it running; ended after the last of them. */
final class SharedSlipway implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == SlipwayProcess.class;
  }

  @Override
  public SlipwayProcess resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(SharedSlipway.class))
        .computeIfAbsent(SlipwayProcess.class, _ -> SlipwayProcess.start(), SlipwayProcess.class);
  }
}
