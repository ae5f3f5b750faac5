import * as m from '../../../messages/platforms.ts';
import { verbatim } from '../../../ui/verbatim.ts';
import type { Setup, SetupStep } from './template.ts';

const options = `  'dsn' => '‹dsn›',
  'environment' => 'production',
‹traces›  'traces_sample_rate' => 1.0,
‹logs›  'enable_logs' => true,
‹release›  'release' => 'shop@1.0.0',`;

const install = (name: string): SetupStep => ({ title: m.install, language: 'sh', code: `composer require ${name}` });

export const platforms: Readonly<Record<string, Setup>> = {
  php: {
    steps: [
      install('sentry/sentry'),
      {
        title: m.initialize,
        file: 'index.php',
        language: 'php',
        code: verbatim`<?php

require __DIR__ . '/vendor/autoload.php';

\Sentry\init([
${options}
]);`,
      },
      {
        title: m.testError,
        file: 'index.php',
        language: 'php',
        code: verbatim`throw new RuntimeException('Hello, Culprit');`,
      },
    ],
  },
  'php-laravel': {
    steps: [
      install('sentry/sentry-laravel'),
      {
        title: m.errorHandler,
        file: 'bootstrap/app.php',
        language: 'php',
        code: verbatim`<?php

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Sentry\Laravel\Integration;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(web: __DIR__ . '/../routes/web.php', commands: __DIR__ . '/../routes/console.php', health: '/up')
    ->withExceptions(function (Exceptions $exceptions) {
        Integration::handles($exceptions);
    })
    ->create();`,
      },
      {
        title: m.configure,
        file: '.env',
        language: 'ini',
        code: `SENTRY_LARAVEL_DSN=‹dsn›
‹traces›SENTRY_TRACES_SAMPLE_RATE=1.0
‹logs›SENTRY_ENABLE_LOGS=true
‹logs›LOG_CHANNEL=stack
‹logs›LOG_STACK=single,sentry_logs
‹release›SENTRY_RELEASE=shop@1.0.0`,
      },
      { title: m.runTestError, language: 'sh', code: 'php artisan sentry:test' },
    ],
  },
  'php-symfony': {
    steps: [
      install('sentry/sentry-symfony'),
      { title: m.setDsn, file: '.env', language: 'ini', code: 'SENTRY_DSN="‹dsn›"' },
      {
        title: m.configure,
        file: 'config/packages/sentry.yaml',
        language: 'yaml',
        code: `sentry:
  dsn: '%env(SENTRY_DSN)%'
  options:
    environment: '%kernel.environment%'
‹traces›    traces_sample_rate: 1.0
‹logs›    enable_logs: true
‹release›    release: 'shop@1.0.0'`,
      },
      { title: m.runTestError, language: 'sh', code: 'php bin/console sentry:test' },
    ],
  },
  'php-wordpress': {
    steps: [
      { title: m.install, language: 'sh', code: 'wp plugin install wp-sentry-integration --activate' },
      {
        title: m.configure,
        file: 'wp-config.php',
        language: 'php',
        code: `define('WP_SENTRY_PHP_DSN', '‹dsn›');
define('WP_SENTRY_BROWSER_DSN', '‹dsn›');
define('WP_SENTRY_ENV', 'production');
‹traces›define('WP_SENTRY_TRACES_SAMPLE_RATE', 1.0);
‹traces›define('WP_SENTRY_BROWSER_TRACES_SAMPLE_RATE', 1.0);
‹release›define('WP_SENTRY_VERSION', 'shop@1.0.0');`,
      },
      {
        title: m.runTestError,
        language: 'sh',
        code: `wp eval "throw new Exception('Hello, Culprit');"`,
      },
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.install,
    language: 'sh',
    code: `pecl install opentelemetry protobuf
composer require open-telemetry/sdk open-telemetry/exporter-otlp php-http/guzzle7-adapter`,
  },
  {
    title: m.runOpenTelemetry,
    language: 'sh',
    code: 'export OTEL_PHP_AUTOLOAD_ENABLED=true\nphp -d extension=opentelemetry -S localhost:8080',
  },
];
