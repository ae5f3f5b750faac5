package com.example.shop;

import io.sentry.Sentry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What logback's appender sends. */
public class App {
  static void order(String text) {
    try {
      Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("cannot read quantity " + text, e);
    }
  }

  public static void main(String[] arguments) {
    boolean isRecorded = System.getenv("RECORD_DSN") != null;
    if (isRecorded) {
      Sentry.init(options -> {
        options.setDsn(System.getenv("RECORD_DSN"));
        options.setRelease("shop-mail@2.2.0");
        options.setEnvironment("staging");
        options.setServerName("web-5");
        options.setAttachThreads(true);
        options.setAttachStacktrace(true);
        options.getLogs().setEnabled(true);
      });
    }
    Logger log = LoggerFactory.getLogger("shop.pay");
    MDC.put("request", "r-1");
    log.info("paying {}", 9);
    log.error("payment {} of {} failed", 17, "ada");
    log.error("payment {} of {} failed", 18, "bob");
    try {
      order("x");
    } catch (IllegalArgumentException e) {
      if (isRecorded) log.error("while paying", e);
      else e.printStackTrace();
    }
    Sentry.flush(5000);
    Sentry.close();
  }
}
