package com.example.shop;

import io.sentry.spring.jakarta.tracing.SentryTransaction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What Spring runs by itself. */
@Component
@EnableScheduling
@ConditionalOnProperty("shop.jobs")
public class Jobs {
  @Scheduled(fixedDelay = 200)
  @SentryTransaction(operation = "task")
  public void restock() throws InterruptedException {
    Thread.sleep(20);
  }

  @Scheduled(fixedDelay = 60_000)
  @SentryTransaction(operation = "task")
  public void invoice() {
    throw new IllegalStateException("no printer");
  }
}
