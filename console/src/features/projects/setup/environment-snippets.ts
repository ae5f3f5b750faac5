import * as m from '../../../messages/platforms.ts';
import type { SetupStep } from './template.ts';

/** The variables that every OpenTelemetry SDK reads. */
export const environment: SetupStep = {
  title: m.exporter,
  file: m.serviceEnvironment,
  language: 'sh',
  code: `export OTEL_EXPORTER_OTLP_ENDPOINT=‹origin›
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20‹key›"
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_SERVICE_NAME=my-service
‹release›export OTEL_RESOURCE_ATTRIBUTES=service.version=1.0.0,deployment.environment.name=production`,
};
