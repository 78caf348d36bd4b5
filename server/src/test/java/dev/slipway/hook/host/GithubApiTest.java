package dev.slipway.hook.host;

class GithubApiTest extends GitHostContract {
  @Override
  GitHostPlace place() {
    return FakeGithub.github();
  }
}
