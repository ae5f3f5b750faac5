import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const init = `Sentry.init do |config|
  config.dsn = "‹dsn›"
‹traces›  config.traces_sample_rate = 1.0
‹logs›  config.enable_logs = true
‹logs›  config.enabled_patches << :logger
‹release›  config.release = "shop@1.0.0"
end`;

const install = (...gems: readonly string[]): SetupStep => ({
  title: m.install,
  language: 'sh',
  code: `bundle add ${['sentry-ruby', ...gems].join(' ')}`,
});

export const platforms: Readonly<Record<string, Setup>> = {
  ruby: {
    steps: [
      install(),
      {
        title: m.initialize,
        file: 'main.rb',
        language: 'ruby',
        code: `require "sentry-ruby"

${init}

begin
  raise "Hello, Culprit"
rescue => error
  Sentry.capture_exception(error)
end`,
      },
    ],
  },
  'ruby-rails': {
    sendsSessions: true,
    steps: [
      install('sentry-rails'),
      {
        title: m.initialize,
        file: 'config/initializers/sentry.rb',
        language: 'ruby',
        code: init.replace(
          '\n‹traces›',
          '\n  config.breadcrumbs_logger = [:active_support_logger, :http_logger]\n‹traces›',
        ),
      },
      {
        title: m.testError,
        file: 'config/routes.rb',
        language: 'ruby',
        code: `Rails.application.routes.draw do
  get "test-error", to: ->(_env) { raise "Hello, Culprit" }
end`,
      },
      {
        title: m.runTestError,
        language: 'sh',
        code: 'bin/rails server &\ncurl http://localhost:3000/test-error',
      },
    ],
  },
  'ruby-rack': {
    sendsSessions: true,
    steps: [
      install('sinatra', 'rackup', 'puma'),
      {
        title: m.initialize,
        file: 'config.ru',
        language: 'ruby',
        code: `require "sentry-ruby"
require "sinatra/base"

${init}

use Sentry::Rack::CaptureExceptions

class Shop < Sinatra::Base
  # Without it, Sinatra answers errors itself and the middleware sees none.
  set :raise_errors, true
  set :show_exceptions, false

  get "/test-error" do
    raise "Hello, Culprit"
  end
end

run Shop`,
      },
      { title: m.runTestError, language: 'sh', code: 'bundle exec rackup &\ncurl http://localhost:9292/test-error' },
    ],
  },
  'ruby-sidekiq': {
    steps: [
      install('sentry-sidekiq'),
      {
        title: m.initializeWorker,
        file: 'worker.rb',
        language: 'ruby',
        code: `require "sidekiq"
require "sentry-ruby"
require "sentry-sidekiq"

${init}

class TestError
  include Sidekiq::Job

  def perform
    raise "Hello, Culprit"
  end
end`,
      },
      {
        title: m.runTestError,
        language: 'sh',
        code: `bundle exec sidekiq -r ./worker.rb &
bundle exec ruby -r ./worker.rb -e "TestError.perform_async"`,
      },
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.install,
    language: 'sh',
    code: 'bundle add opentelemetry-sdk opentelemetry-exporter-otlp opentelemetry-instrumentation-all',
  },
  {
    title: m.initialize,
    file: 'config/initializers/opentelemetry.rb',
    language: 'ruby',
    code: `require "opentelemetry/sdk"
require "opentelemetry/exporter/otlp"
require "opentelemetry/instrumentation/all"

OpenTelemetry::SDK.configure(&:use_all)`,
  },
];
