import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const deps: SetupStep = {
  title: m.install,
  file: 'mix.exs',
  language: 'elixir',
  code: `defp deps do
  [
    {:sentry, "~> 13.0"},
    {:finch, "~> 0.21"},
    {:jason, "~> 1.4"},
‹traces›    {:opentelemetry, "~> 1.7"},
‹traces›    {:opentelemetry_api, "~> 1.5"},
‹traces›    {:opentelemetry_exporter, "~> 1.10"},
‹traces›    {:opentelemetry_semantic_conventions, "~> 1.27"},
  ]
end`,
};

const config: SetupStep = {
  title: m.configure,
  file: 'config/config.exs',
  language: 'elixir',
  code: `config :sentry,
  dsn: "‹dsn›",
  environment_name: Mix.env(),
‹traces›  traces_sample_rate: 1.0,
‹logs›  enable_logs: true,
‹release›  release: "shop@1.0.0",
  enable_source_code_context: true,
  root_source_code_paths: [File.cwd!()]
‹traces›
‹traces›config :opentelemetry, span_processor: {Sentry.OpenTelemetry.SpanProcessor, []}
‹traces›config :opentelemetry, sampler: {Sentry.OpenTelemetry.Sampler, []}`,
};

const handler = (start: string): SetupStep => ({
  title: m.initialize,
  file: 'lib/shop/application.ex',
  language: 'elixir',
  code: `def start(_type, _args) do
  # Crashes of processes become events.
  :logger.add_handler(:sentry_handler, Sentry.LoggerHandler, %{
    config: %{metadata: [:file, :line]}
  })

${start}  Supervisor.start_link(children, strategy: :one_for_one, name: Shop.Supervisor)
end`,
});

const test: SetupStep = { title: m.runTestError, language: 'sh', code: 'mix deps.get && mix sentry.send_test_event' };

export const platforms: Readonly<Record<string, Setup>> = {
  elixir: { steps: [deps, config, handler(''), test] },
  'elixir-phoenix': {
    steps: [
      {
        ...deps,
        code: deps.code.replace(
          '\n  ]',
          '\n‹traces›    {:opentelemetry_phoenix, "~> 2.0"},\n‹traces›    {:opentelemetry_bandit, "~> 0.3"},\n‹traces›    {:opentelemetry_ecto, "~> 1.2"},\n  ]',
        ),
      },
      config,
      handler(`‹traces›  OpentelemetryBandit.setup()
‹traces›  OpentelemetryPhoenix.setup(adapter: :bandit)
‹traces›  OpentelemetryEcto.setup([:shop, :repo], db_statement: :enabled)
‹traces›
`),
      {
        title: m.errorHandler,
        file: 'lib/shop_web/endpoint.ex',
        language: 'elixir',
        code: `defmodule ShopWeb.Endpoint do
  use Sentry.PlugCapture
  use Phoenix.Endpoint, otp_app: :shop

  plug Plug.Parsers,
    parsers: [:urlencoded, :multipart, :json],
    pass: ["*/*"],
    json_decoder: Phoenix.json_library()

  # After the parsers, so that events have the request.
  plug Sentry.PlugContext
  plug ShopWeb.Router
end`,
      },
      test,
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.install,
    file: 'mix.exs',
    language: 'elixir',
    code: `defp deps do
  [
    {:opentelemetry_exporter, "~> 1.10"},
    {:opentelemetry, "~> 1.7"},
    {:opentelemetry_phoenix, "~> 2.0"},
    {:opentelemetry_bandit, "~> 0.3"},
    {:opentelemetry_ecto, "~> 1.2"}
  ]
end`,
  },
  {
    title: m.configure,
    file: 'config/runtime.exs',
    language: 'elixir',
    code: `config :opentelemetry, traces_exporter: :otlp
config :opentelemetry_exporter, otlp_protocol: :http_protobuf`,
  },
];
