/** Standard libraries and well-known ones of each language, by the modules and paths of their frames. */
import type { Frame } from '../../event.ts';
import type { Language } from '../../family.ts';
import { foreign, foreignModule } from '../v2/in-app.ts';

const setOf = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')));

/** First, first two or first three parts of packages. */
const java = setOf(
  'akka antlr arrow bolts brave butterknife cats cglib clojure compojure dagger feign freemarker fs2 graphql groovyx javassist',
  'junit kafka leakcanary liquibase lombok ognl okhttp3 okio play reactor resilience4j retrofit2 rx scalaz shapeless shark',
  'slick springfox zio zipkin2 ch.qos coil.compose com.amazonaws com.azure com.codahale com.datastax com.esotericsoftware',
  'com.fasterxml com.hazelcast com.ibm com.jcraft com.lmax com.microsoft com.mongodb com.mysql com.netflix com.oracle',
  'com.rabbitmq com.squareup com.thoughtworks com.typesafe com.zaxxer com.bumptech.glide com.facebook.react com.github.benmanes',
  'com.google.api com.google.auth com.google.cloud com.google.common com.google.firebase com.google.gson com.google.gwt',
  'com.google.inject com.google.protobuf com.google.thirdparty com.stripe.net com.couchbase.client com.clickhouse.client',
  'io.arrow io.confluent io.cucumber io.dropwizard io.flutter io.grpc io.helidon io.javalin io.jsonwebtoken io.kotest io.ktor',
  'io.lettuce io.micronaut io.minio io.mockk io.opencensus io.opentelemetry io.opentracing io.prometheus io.quarkus io.r2dbc',
  'io.searchbox io.smallrye io.swagger io.undertow io.vertx io.zipkin io.github.resilience4j io.github.bucket4j net.bytebuddy',
  'net.jpountz net.logstash net.sf net.spy net.minidev net.jodah net.javacrumbs oracle.jdbc oracle.net oracle.sql',
  'org.antlr org.aopalliance org.asynchttpclient org.aspectj org.assertj org.bouncycastle org.bson org.chromium org.conscrypt',
  'org.dom4j org.ehcache org.elasticsearch org.flywaydb org.glassfish org.gradle org.graalvm org.h2 org.hamcrest org.hsqldb',
  'org.ietf org.infinispan org.javassist org.jdbi org.joda org.jooq org.json org.jsoup org.junit org.keycloak org.koin',
  'org.ktorm org.mariadb org.mockito org.mortbay org.msgpack org.mybatis org.objectweb org.omg org.openjdk org.opensearch',
  'org.osgi org.postgresql org.quartz org.reactivestreams org.redisson org.scalatest org.slf4j org.sqlite org.testng',
  'org.threeten org.thymeleaf org.w3c org.wildfly org.xerial org.xml org.xmlpull org.xnio org.yaml redis.clients',
  'software.amazon timber.log',
);

/** Namespaces, by their first part. */
const dotnet = setOf(
  'System Microsoft Newtonsoft Internal Interop MS Mono Java Android Foundation UIKit UnityEngine UnityEditor Npgsql MySql',
  'MySqlConnector Oracle Dapper Serilog NLog log4net AutoMapper MediatR Polly FluentValidation Grpc Google Amazon Azure',
  'RestSharp Refit StackExchange Hangfire Quartz MassTransit NServiceBus RabbitMQ Confluent MongoDB Elasticsearch Nest',
  'Autofac Castle Ninject Swashbuckle NSwag Xunit NUnit Moq Sentry OpenTelemetry HotChocolate ServiceStack Nancy',
);

/** Modules of Elixir, by their first part. */
const elixir = setOf(
  'Access Agent Application Atom Base Bandit Broadway Code Cowlib Calendar Config DBConnection Date DateTime Decimal Dict',
  'DynamicSupervisor Ecto EEx Enum Enumerable ExUnit Exception Exqlite File Finch Float Function GenEvent GenServer GenStage',
  'Gettext HTTPoison Hackney IEx IO Inspect Integer Jason JSON Kernel Keyword List Logger MapSet Map Mint Mix Module MyXQL',
  'NaiveDateTime NimbleOptions NimblePool Node Oban OptionParser Path Phoenix Plug Poison Port Postgrex Process Protocol',
  'Quantum Range Record Redix Regex Registry Req Sentry Stream String StringIO Supervisor Swoosh System Task Telemetry Tesla',
  'ThousandIsland Time Tuple URI Version WebSockAdapter Absinthe Ash Bamboo Commanded Cachex ConCache Guardian Horde Nebulex',
);

/** First parts of the import paths of Go's own packages, which never have a dot. */
const goStandard = setOf(
  'archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors',
  'expvar flag fmt go hash html image index internal io iter log maps math',
  'mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync',
  'syscall testing text time unicode unique unsafe vendor weak cmd',
);

const paths: Readonly<Partial<Record<Language, RegExp>>> = {
  python: foreign,
  ruby: /(?:^|[\\/])(?:gems|rubygems|bundler|bundle|ruby)[\\/](?:[\w.]{1,30}[-/])?\d{1,3}\.\d{1,3}[.\d]{0,8}[\\/]|[\\/](?:bundler[\\/])?gems[\\/][^\\/]{1,100}-[\da-f.]{1,40}[\\/]|[\\/]lib[\\/]ruby[\\/]|^<internal:/,
  php: /^\[internal\]$|^phar:\/\//,
  csharp: /[\\/]\.nuget[\\/]packages[\\/]|^\/_\/src\//,
  elixir:
    /(?:^|[\\/])deps[\\/]|\.erl$|[\\/]lib[\\/](?:elixir|erlang|eex|ex_unit|iex|logger|mix)[\\/]|^lib[\\/](?:plug|phoenix|ecto|postgrex|db_connection|bandit|oban|absinthe|elixir)(?:[\\/]|\.ex$)/,
  dart: /^(?:dart|org-dartlang-sdk):|^package:(?:flutter|flutter_test|sentry|sentry_flutter|dio|http|bloc|flutter_bloc|provider|riverpod|flutter_riverpod|get|async|stack_trace|sqflite|go_router)\/|[\\/](?:\.pub-cache|Pub[\\/]Cache)[\\/]/,
};

/** Of a frame on which the SDK said nothing. */
export function isLibrary(frame: Frame, language: Language): boolean {
  if (language === 'go') return isGoLibrary(frame);
  const { module, filename, abs_path: absolute } = frame;
  const path = paths[language];
  if (path && (path.test(absolute ?? '') || path.test(filename ?? ''))) return true;
  return module !== undefined && isForeignModule(module, language);
}

function isForeignModule(module: string, language: Language): boolean {
  switch (language) {
    case 'csharp':
      return dotnet.has(firstPart(module));
    case 'elixir': {
      const name = module.startsWith('Elixir.') ? module.slice('Elixir.'.length) : module;
      // Erlang's modules are in lower case, and few projects have one of their own.
      return /^:?[a-z]/.test(name) || elixir.has(firstPart(name));
    }
    case 'python':
      return foreignModule.test(module);
    default:
      return false;
  }
}

const firstPart = (name: string): string => {
  const end = name.indexOf('.');
  return end < 0 ? name : name.slice(0, end);
};

/** By up to three parts of the class's name. */
export function isJavaLibrary({ module }: Frame): boolean {
  if (module === undefined) return false;
  let end = module.indexOf('.');
  for (let parts = 0; end > 0 && parts < 3; parts++) {
    if (java.has(module.slice(0, end))) return true;
    end = module.indexOf('.', end + 1);
  }
  return false;
}

const absolutePath = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** Built with `-trimpath`: the path begins with that of the module, and the version stands behind it where it is not one's own. */
export function isTrimmedGo({ abs_path: absolute, filename }: Frame): boolean {
  const path = absolute ?? filename ?? '';
  return path.endsWith('.go') && !absolutePath.test(path);
}

export function isGoLibrary({ abs_path: absolute, filename, module }: Frame): boolean {
  const path = absolute ?? filename ?? '';
  if (/@v\d/.test(path) || /(?:^|[\\/])(?:vendor|go[\\/]pkg[\\/]mod)[\\/]/.test(path)) return true;
  // `main` is the program's, wherever it lies.
  if (module === 'main') return false;
  const first = (module ?? path).split('/', 1)[0] ?? '';
  if (module !== undefined || !absolutePath.test(path)) return goStandard.has(firstPart(first)) && !first.includes('.');
  return /[\\/](?:go|golang|go-?\d[\w.]{0,20})[\\/](?:libexec[\\/])?src[\\/][a-z]+[\\/]/.test(path);
}
