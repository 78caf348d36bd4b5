/** Plans of applications that Node or Bun runs: package managers, workspaces, frameworks. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework.node;
