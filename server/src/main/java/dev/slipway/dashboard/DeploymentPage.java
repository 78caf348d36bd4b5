package dev.slipway.dashboard;

/** A deployment with its log. */
public record DeploymentPage(DeploymentState state, LogView log) {}
