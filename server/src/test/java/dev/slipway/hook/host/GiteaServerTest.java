package dev.slipway.hook.host;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract with a Gitea or Forgejo that runs: {@code -Dgitea.url=… -Dgitea.token=…
 * -Dgitea.repo=owner/name -Dgitea.commit=… -Dgitea.pull=…}, with a token that may write there.
 */
@EnabledIfSystemProperty(named = "gitea.url", matches = "http.*")
class GiteaServerTest extends GitHostContract {
  @Override
  GitHostPlace place() {
    return new GiteaServer();
  }
}
