package dev.slipway.hook.host;

class GitlabApiTest extends GitHostContract {
  @Override
  GitHostPlace place() {
    return new FakeGitlab();
  }
}
