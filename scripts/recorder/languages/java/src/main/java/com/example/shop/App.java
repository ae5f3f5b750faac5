package com.example.shop;

import io.sentry.Breadcrumb;
import io.sentry.Sentry;
import io.sentry.SentryOptions;
import io.sentry.protocol.User;
import java.util.List;
import java.util.Map;

/**
 * Runs one scenario: {@code RECORD_DSN=… java com.example.shop.App SCENARIO}. Without a server it prints what the
 * virtual machine prints.
 */
public class App {
  static final boolean IS_RECORDED = System.getenv("RECORD_DSN") != null;
  private static int printed = 0;

  interface Failing {
    void run() throws Exception;
  }

  /** Captures what is thrown. Without a server it is printed, a form feed between two. */
  static void report(Failing code) {
    try {
      code.run();
    } catch (Throwable e) {
      if (IS_RECORDED) {
        Sentry.captureException(e);
        return;
      }
      if (printed++ > 0) System.err.print("\f");
      e.printStackTrace();
    }
  }

  public static void main(String[] arguments) throws Exception {
    String scenario = arguments[0];
    if (IS_RECORDED) start(scenario);
    run(scenario, new Cart());
    if (IS_RECORDED) {
      Sentry.flush(5000);
      Sentry.close();
    }
  }

  private static void run(String scenario, Cart cart) throws Exception {
    switch (scenario) {
      case "cause" -> List.of("two", "three").forEach(text -> report(() -> cart.order(text)));
      case "suppressed" -> report(cart::suppressed);
      case "lambda" -> report(() -> cart.lambda(List.of("a")));
      case "deep" -> report(() -> cart.deep(0));
      case "uncaught" -> cart.order("uncaught");
      case "thread" -> {
        Thread worker = new Thread(() -> cart.lambda(List.of("b")), "worker-7");
        worker.start();
        worker.join();
      }
      case "flags" -> {
        Sentry.addFeatureFlag("new-checkout", true);
        Sentry.addFeatureFlag("dark", false);
        report(() -> { throw new IllegalStateException("flagged"); });
      }
      case "session-ok" -> {
        Sentry.startSession();
        Sentry.endSession();
      }
      case "session-error" -> {
        Sentry.startSession();
        report(() -> cart.order("s"));
        Sentry.endSession();
      }
      case "session-crash" -> {
        Sentry.startSession();
        cart.order("crash");
      }
      default -> Telemetry.run(scenario, cart);
    }
  }

  private static void start(String scenario) {
    Sentry.init(options -> {
      options.setDsn(System.getenv("RECORD_DSN"));
      options.setRelease("shop-java@2.2.0");
      options.setEnvironment("staging");
      options.setDist("9");
      options.setServerName("web-5");
      options.setTracesSampleRate(1.0);
      options.setSendDefaultPii(true);
      options.setAttachThreads(true);
      options.setAttachStacktrace(true);
      options.getLogs().setEnabled(true);
      options.setTag("plan", "gold");
      options.setEnableAutoSessionTracking(scenario.startsWith("session"));
      own(options, System.getenv("RECORD_IN_APP"));
    });
    User user = new User();
    user.setId("u-42");
    user.setEmail("ada@example.com");
    user.setUsername("ada");
    user.setIpAddress("203.0.113.9");
    user.setData(Map.of("tier", "vip"));
    Sentry.configureScope(scope -> {
      scope.setUser(user);
      scope.setExtra("note", "an extra");
      scope.setContexts("order", Map.of("id", 9, "total", 12.5));
    });
    Sentry.setTag("tenant", "acme");
    Breadcrumb added = new Breadcrumb("added A-1");
    added.setCategory("cart");
    added.setData("sku", "A-1");
    Sentry.addBreadcrumb(added);
  }

  private static void own(SentryOptions options, String inApp) {
    if ("include".equals(inApp)) options.addInAppInclude("com.example");
    if ("exclude".equals(inApp)) options.addInAppExclude("java.util");
  }
}
