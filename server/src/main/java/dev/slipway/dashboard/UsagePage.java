package dev.slipway.dashboard;

import java.util.List;

/** What the account uses of what its tier allows. */
public record UsagePage(String tier, List<Bar> bars, int projects, int users) {}
