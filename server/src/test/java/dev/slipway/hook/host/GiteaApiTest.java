package dev.slipway.hook.host;

class GiteaApiTest extends GitHostContract {
  @Override
  GitHostPlace place() {
    return FakeGithub.gitea();
  }
}
