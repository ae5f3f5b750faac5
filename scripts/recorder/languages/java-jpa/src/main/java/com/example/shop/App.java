package com.example.shop;

import io.sentry.Sentry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Data over Hibernate over JDBC, traced by Sentry or by OpenTelemetry's agent: a loop of queries, and jobs. */
@SpringBootApplication
@RestController
public class App {
  private final Books books;

  public App(Books books, JdbcTemplate database) {
    this.books = books;
    database.execute("create alias pause for 'com.example.shop.App.pause'");
    database.execute("create table authors (id int primary key, name varchar(50))");
    database.execute("create view author as select id, name from authors where pause(8)");
    database.execute("create table book (id int primary key, title varchar(50), author_id int)");
    for (int id = 0; id < 10; id++) {
      database.update("insert into authors values (?, ?)", id, "Author " + id);
      database.update("insert into book values (?, ?, ?)", id, "Book " + id, id);
    }
  }

  /** How long the way to a database is, ms. */
  public static boolean pause(int milliseconds) throws InterruptedException {
    Thread.sleep(milliseconds);
    return true;
  }

  @GetMapping("/books")
  List<String> books() {
    return books.findAllByOrderByTitle().stream()
        .map(book -> book.getTitle() + " by " + book.getAuthor().getName())
        .toList();
  }

  public static void main(String[] arguments) throws Exception {
    String scenario = arguments[0];
    boolean isSentry = "sentry".equals(System.getenv("RECORD_WITH"));
    Map<String, Object> settings = new HashMap<>(Map.of(
        "server.port", "0",
        "server.address", "127.0.0.1",
        "spring.main.banner-mode", "off",
        "spring.jpa.hibernate.ddl-auto", "none",
        "logging.level.root", "off",
        "spring.datasource.url", "jdbc:" + (isSentry ? "p6spy:" : "") + "h2:mem:shop;DB_CLOSE_DELAY=-1",
        "spring.datasource.driver-class-name", isSentry ? "com.p6spy.engine.spy.P6SpyDriver" : "org.h2.Driver"));
    if (scenario.equals("scheduled")) settings.put("shop.jobs", "true");
    if (isSentry) {
      settings.putAll(Map.of(
          "sentry.dsn", System.getenv("RECORD_DSN"),
          "sentry.release", "shop-books@1.0.0",
          "sentry.environment", "production",
          "sentry.server-name", "web-6",
          "sentry.traces-sample-rate", "1.0"));
    }
    SpringApplication application = new SpringApplication(App.class);
    application.setDefaultProperties(settings);
    ConfigurableApplicationContext context = application.run(arguments);
    int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
    if (scenario.equals("n-plus-one")) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/books")).build();
      HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
    Thread.sleep(500);
    Sentry.flush(5000);
    context.close();
    System.exit(0);
  }
}
