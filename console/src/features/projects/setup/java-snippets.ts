import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const dependency = (version: string, ...artifacts: readonly string[]): SetupStep => ({
  title: m.install,
  file: 'pom.xml',
  language: 'xml',
  code: artifacts
    .map(
      (artifact) => `<dependency>
  <groupId>io.sentry</groupId>
  <artifactId>${artifact}</artifactId>
  <version>${version}</version>
</dependency>`,
    )
    .join('\n'),
});

const gradle = (version: string, ...artifacts: readonly string[]): SetupStep => ({
  title: m.installGradle,
  file: 'build.gradle.kts',
  language: 'kotlin',
  code: `dependencies {
${artifacts.map((artifact) => `    implementation("io.sentry:${artifact}:${version}")`).join('\n')}
}`,
});

const properties = (prefix: string): string => `${prefix}dsn=‹dsn›
${prefix}environment=production
‹traces›${prefix}traces-sample-rate=1.0
‹logs›${prefix}logs.enabled=true
‹release›${prefix}release=shop@1.0.0
${prefix}in-app-includes=com.example`;

const javaMain = `import io.sentry.Sentry;

public class Main {
    public static void main(String[] args) {
        // Reads sentry.properties.
        Sentry.init(options -> options.setEnableExternalConfiguration(true));
        throw new IllegalStateException("Hello, Culprit");
    }
}`;

const appenderError = `import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class Main {
    private static final Logger log = LoggerFactory.getLogger(Main.class);

    public static void main(String[] args) {
        log.error("payment failed", new IllegalStateException("Hello, Culprit"));
    }
}`;

export const platforms: Readonly<Record<string, Setup>> = {
  java: {
    steps: [
      dependency('8.63.0', 'sentry'),
      gradle('8.63.0', 'sentry'),
      {
        title: m.configure,
        file: 'src/main/resources/sentry.properties',
        language: 'properties',
        code: properties(''),
      },
      { title: m.initialize, file: 'Main.java', language: 'java', code: javaMain },
    ],
  },
  'java-spring-boot': {
    steps: [
      dependency('8.52.0', 'sentry-spring-boot-starter-jakarta', 'sentry-logback'),
      gradle('8.52.0', 'sentry-spring-boot-starter-jakarta', 'sentry-logback'),
      {
        title: m.configure,
        file: 'src/main/resources/application.properties',
        language: 'properties',
        code: properties('sentry.'),
      },
      {
        title: m.testError,
        file: 'TestErrorController.java',
        language: 'java',
        code: `import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TestErrorController {
    @GetMapping("/test-error")
    String testError() {
        throw new IllegalStateException("Hello, Culprit");
    }
}`,
      },
      {
        title: m.runTestError,
        language: 'sh',
        code: './mvnw spring-boot:run &\ncurl http://localhost:8080/test-error',
      },
    ],
  },
  'java-logback': {
    steps: [
      dependency('8.53.0', 'sentry-logback'),
      gradle('8.53.0', 'sentry-logback'),
      {
        title: m.configure,
        file: 'src/main/resources/logback.xml',
        language: 'xml',
        code: `<configuration>
  <appender name="Sentry" class="io.sentry.logback.SentryAppender">
    <options>
      <dsn>‹dsn›</dsn>
      <environment>production</environment>
‹release›      <release>shop@1.0.0</release>
‹logs›      <logs>
‹logs›        <enabled>true</enabled>
‹logs›      </logs>
    </options>
  </appender>
  <root level="INFO">
    <appender-ref ref="Sentry" />
  </root>
</configuration>`,
      },
      { title: m.testError, file: 'Main.java', language: 'java', code: appenderError },
    ],
  },
  'java-log4j2': {
    steps: [
      dependency('8.43.0', 'sentry-log4j2'),
      gradle('8.43.0', 'sentry-log4j2'),
      {
        title: m.configure,
        file: 'src/main/resources/log4j2.xml',
        language: 'xml',
        code: `<Configuration packages="io.sentry.log4j2">
  <Appenders>
    <Sentry name="Sentry" dsn="‹dsn›" minimumEventLevel="ERROR" />
  </Appenders>
  <Loggers>
    <Root level="INFO">
      <AppenderRef ref="Sentry" />
    </Root>
  </Loggers>
</Configuration>`,
      },
      {
        title: m.options,
        file: 'src/main/resources/sentry.properties',
        language: 'properties',
        code: `environment=production
‹logs›logs.enabled=true
‹release›release=shop@1.0.0
in-app-includes=com.example`,
      },
      {
        title: m.testError,
        file: 'Main.java',
        language: 'java',
        code: appenderError
          .replace('org.slf4j.LoggerFactory', 'org.apache.logging.log4j.Logger')
          .replace('org.slf4j.Logger', 'org.apache.logging.log4j.LogManager')
          .replace('LoggerFactory.getLogger', 'LogManager.getLogger'),
      },
    ],
  },
  'java-quarkus': {
    steps: [
      { title: m.install, language: 'sh', code: './mvnw quarkus:add-extension -Dextensions="logging-sentry"' },
      {
        title: m.configure,
        file: 'src/main/resources/application.properties',
        language: 'properties',
        code: `quarkus.log.sentry.enabled=true
quarkus.log.sentry.dsn=‹dsn›
quarkus.log.sentry.environment=production
‹traces›quarkus.log.sentry.traces-sample-rate=1.0
‹release›quarkus.log.sentry.release=shop@1.0.0
quarkus.log.sentry.in-app-packages=com.example`,
      },
      {
        title: m.testError,
        file: 'TestError.java',
        language: 'java',
        code: `import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("/test-error")
public class TestError {
    @GET
    public String get() {
        throw new IllegalStateException("Hello, Culprit");
    }
}`,
      },
      { title: m.runTestError, language: 'sh', code: './mvnw quarkus:dev &\ncurl http://localhost:8080/test-error' },
    ],
  },
  kotlin: {
    steps: [
      gradle('8.63.0', 'sentry'),
      {
        title: m.initialize,
        file: 'Main.kt',
        language: 'kotlin',
        code: `import io.sentry.Sentry

fun main() {
    Sentry.init { options ->
        options.dsn = "‹dsn›"
        options.environment = "production"
‹traces›        options.tracesSampleRate = 1.0
‹logs›        options.logs.isEnabled = true
‹release›        options.release = "shop@1.0.0"
        options.addInAppInclude("com.example")
    }
    throw IllegalStateException("Hello, Culprit")
}`,
      },
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.runOpenTelemetry,
    language: 'sh',
    code: `mvn dependency:copy -DoutputDirectory=. -Dmdep.stripVersion \\
  -Dartifact=io.opentelemetry.javaagent:opentelemetry-javaagent:RELEASE
‹logs›export OTEL_LOGS_EXPORTER=otlp
java -javaagent:opentelemetry-javaagent.jar -jar app.jar`,
  },
];
