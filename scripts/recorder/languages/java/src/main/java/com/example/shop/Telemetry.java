package com.example.shop;

import io.sentry.Attachment;
import io.sentry.CheckIn;
import io.sentry.CheckInStatus;
import io.sentry.Hint;
import io.sentry.ISpan;
import io.sentry.ITransaction;
import io.sentry.MonitorConfig;
import io.sentry.MonitorSchedule;
import io.sentry.Sentry;
import io.sentry.SentryAttribute;
import io.sentry.SentryAttributes;
import io.sentry.SentryEvent;
import io.sentry.SentryLevel;
import io.sentry.SentryLogLevel;
import io.sentry.SpanStatus;
import io.sentry.TransactionOptions;
import io.sentry.UserFeedback;
import io.sentry.logger.SentryLogParameters;
import io.sentry.protocol.Feedback;
import io.sentry.protocol.Message;
import io.sentry.protocol.SentryException;
import io.sentry.protocol.SentryId;
import io.sentry.protocol.SentryStackFrame;
import io.sentry.protocol.SentryStackTrace;
import java.util.ArrayList;
import java.util.List;

/** What is no plain error. */
final class Telemetry {
  private Telemetry() {}

  static void run(String scenario, Cart cart) throws Exception {
    switch (scenario) {
      case "locked" -> locked();
      case "message" -> message();
      case "trace" -> trace(cart);
      case "logs" -> logs();
      case "metrics" -> metrics();
      case "checkin" -> checkIn();
      case "attach" -> attach(cart);
      case "feedback" -> feedback();
      case "synthetic-names" -> syntheticNames();
      default -> throw new IllegalArgumentException("no scenario " + scenario);
    }
  }

  private static void locked() throws InterruptedException {
    Object lock = new Object();
    Runnable hold = () -> {
      synchronized (lock) {
        try {
          Thread.sleep(60_000);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
    Runnable await = () -> {
      synchronized (lock) {
        lock.notifyAll();
      }
    };
    startDaemon("holder", hold);
    startDaemon("waiter", await);
    Sentry.captureMessage("who holds the lock", SentryLevel.WARNING);
  }

  private static void startDaemon(String name, Runnable code) throws InterruptedException {
    Thread thread = new Thread(code, name);
    thread.setDaemon(true);
    thread.start();
    Thread.sleep(100);
  }

  private static void message() {
    Message message = new Message();
    message.setMessage("stock of %s is low");
    message.setParams(List.of("A-1"));
    message.setFormatted("stock of A-1 is low");
    SentryEvent event = new SentryEvent();
    event.setMessage(message);
    event.setLevel(SentryLevel.WARNING);
    event.setLogger("shop");
    Sentry.captureEvent(event);
  }

  private static void trace(Cart cart) throws InterruptedException {
    TransactionOptions bound = new TransactionOptions();
    bound.setBindToScope(true);
    ITransaction transaction = Sentry.startTransaction("checkout", "task", bound);
    transaction.setData("items", 3);
    transaction.setMeasurement("cart.size", 3);
    ISpan query = transaction.startChild("db.sql.query", "SELECT * FROM item WHERE id = ?");
    query.setData("db.system", "sqlite");
    query.setData("rows", 3);
    query.setTag("pool", "a");
    Thread.sleep(5);
    query.finish(SpanStatus.OK);
    ISpan call = transaction.startChild("http.client", "GET https://pay.example.com/v1?token=x");
    call.setData("http.response.status_code", 500);
    call.finish(SpanStatus.INTERNAL_ERROR);
    Sentry.logger().info("in the trace of %s", "ada");
    App.report(() -> cart.order("t"));
    transaction.finish(SpanStatus.OK);
  }

  private static void logs() {
    SentryAttributes attributes = SentryAttributes.of(
        SentryAttribute.stringAttribute("who", "ada"),
        SentryAttribute.integerAttribute("count", 3),
        SentryAttribute.booleanAttribute("vip", true),
        SentryAttribute.doubleAttribute("amount", 12.5));
    Sentry.logger().log(SentryLogLevel.INFO, SentryLogParameters.create(attributes), "order %d of %s", 9, "ada");
    Sentry.logger().trace("first");
    Sentry.logger().debug("second");
    Sentry.logger().warn("slow");
    Sentry.logger().error("failed");
    Sentry.logger().fatal("lost");
  }

  private static void metrics() {
    Sentry.metrics().count("orders", 2.0);
    Sentry.metrics().gauge("queue", 7.5);
    Sentry.metrics().distribution("latency", 12.5, "millisecond");
  }

  private static void checkIn() {
    MonitorConfig config = new MonitorConfig(MonitorSchedule.crontab("0 3 * * *"));
    config.setMaxRuntime(5L);
    config.setTimezone("Europe/Berlin");
    CheckIn begun = new CheckIn("nightly-java", CheckInStatus.IN_PROGRESS);
    begun.setMonitorConfig(config);
    CheckIn failed = new CheckIn(Sentry.captureCheckIn(begun), "nightly-java", CheckInStatus.ERROR);
    failed.setDuration(2.0);
    Sentry.captureCheckIn(failed);
  }

  private static void attach(Cart cart) {
    Hint attachments = Hint.withAttachments(List.of(
        new Attachment("line one\n".getBytes(), "order.txt", "text/plain"),
        new Attachment(new byte[] {0, 1, -1, 10}, "dump.bin")));
    try {
      cart.order("a");
    } catch (RuntimeException e) {
      if (App.IS_RECORDED) Sentry.captureException(e, attachments);
      else e.printStackTrace();
    }
  }

  private static void feedback() {
    SentryId id = Sentry.captureException(new IllegalStateException("the order is lost"));
    Feedback feedback = new Feedback("It broke");
    feedback.setContactEmail("ada@example.com");
    feedback.setName("Ada");
    feedback.setAssociatedEventId(id);
    Sentry.captureFeedback(feedback);
    UserFeedback report = new UserFeedback(id);
    report.setComments("the old way");
    report.setEmail("bob@example.com");
    report.setName("Bob");
    Sentry.captureUserFeedback(report);
  }

  /** One bug, named as a virtual machine names it in two runs: proxy, accessor of reflection, class of a lambda. */
  private static void syntheticNames() {
    synthetic("$$EnhancerBySpringCGLIB$$1ebf9f2c", "GeneratedMethodAccessor41", "$$Lambda$14/0x0000000800066840");
    synthetic("$$EnhancerBySpringCGLIB$$77aa01c3", "GeneratedMethodAccessor58", "$$Lambda$22/0x00007f1204011440");
  }

  private static void synthetic(String proxy, String accessor, String lambda) {
    List<SentryStackFrame> frames = new ArrayList<>();
    frames.add(frame("jdk.internal.reflect." + accessor, "invoke", null));
    frames.add(frame("com.example.shop.Service" + proxy, "order", "<generated>"));
    frames.add(frame("com.example.shop.App" + lambda, "run", null));
    frames.add(frame("com.example.shop.Service", "order", "Service.java"));
    SentryException exception = new SentryException();
    exception.setModule("java.lang");
    exception.setType("IllegalStateException");
    exception.setValue("the order is lost");
    exception.setStacktrace(new SentryStackTrace(frames));
    SentryEvent event = new SentryEvent();
    event.setExceptions(List.of(exception));
    Sentry.captureEvent(event);
  }

  private static SentryStackFrame frame(String module, String function, String file) {
    SentryStackFrame frame = new SentryStackFrame();
    frame.setModule(module);
    frame.setFunction(function);
    frame.setFilename(file);
    frame.setLineno(3);
    return frame;
  }
}
