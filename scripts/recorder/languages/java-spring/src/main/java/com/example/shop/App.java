package com.example.shop;

import io.sentry.Sentry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A Spring Boot application that is asked and answers itself. */
@SpringBootApplication
@RestController
public class App {
  private static final Logger LOG = LoggerFactory.getLogger(App.class);

  @GetMapping("/stock")
  String stock() {
    return "3";
  }

  @PostMapping("/order/{id}")
  String order(@PathVariable("id") int id, @RequestBody String body) {
    LOG.info("ordering {}", id);
    int[] shelf = new int[3];
    return "" + shelf[id];
  }

  @GetMapping("/log")
  String log() {
    LOG.error("stock of {} is low", "A-1");
    return "ok";
  }

  public static void main(String[] arguments) throws Exception {
    SpringApplication application = new SpringApplication(App.class);
    application.setDefaultProperties(Map.of(
        "server.port", "0",
        "server.address", "127.0.0.1",
        "spring.main.banner-mode", "off",
        "sentry.dsn", System.getenv("RECORD_DSN"),
        "sentry.release", "shop-web@2.2.0",
        "sentry.environment", "production",
        "sentry.server-name", "web-5",
        "sentry.traces-sample-rate", "1.0",
        "sentry.send-default-pii", "true",
        "sentry.max-request-body-size", "always"));
    ConfigurableApplicationContext context = application.run(arguments);
    int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
    ask(port, "/stock", null);
    ask(port, "/order/9?token=zz&a=1", "{\"lines\":2,\"password\":\"pw\"}");
    ask(port, "/order/10?token=zz&a=1", "{\"lines\":2,\"password\":\"pw\"}");
    ask(port, "/log", null);
    Thread.sleep(300);
    Sentry.flush(5000);
    context.close();
    System.exit(0);
  }

  private static void ask(int port, String path, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Content-Type", "application/json")
        .header("Cookie", "JSESSIONID=s3cret; theme=dark")
        .header("Authorization", "Bearer abc");
    if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body));
    HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }
}
