package dev.slipway.acceptance;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The browser that the system has, without a window. For one thread. */
final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  static final int PHONE_WIDTH = 360;

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  static Chromium start() {
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(PROGRAM)
                    // Its sandbox refuses to work for root, as whom tests run in containers.
                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
    return new Chromium(playwright, browser);
  }

  /** Somebody who uses the dashboard of that server; cookies of his own. */
  BrowserContext visitor(SlipwayProcess slipway) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setBaseURL(slipway.address().toString())
                .setColorScheme(ColorScheme.LIGHT)
                // Colours that are on their way to others cannot be read by a test.
                .setReducedMotion(ReducedMotion.REDUCE)
                .setViewportSize(1440, 900));
    context.grantPermissions(List.of("clipboard-read", "clipboard-write"));
    context.setDefaultTimeout(30_000);
    return context;
  }

  /** The owner, at his projects. */
  Page signIn(SlipwayProcess slipway) {
    Page page = visitor(slipway).newPage();
    page.navigate("/");
    page.getByLabel("E-mail address").fill(SlipwayProcess.EMAIL);
    page.getByLabel("Password").fill(SlipwayProcess.PASSWORD);
    button(page, "Sign in").click();
    page.waitForURL("**/dashboard/projects");
    return page;
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  static Locator link(Page page, String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
