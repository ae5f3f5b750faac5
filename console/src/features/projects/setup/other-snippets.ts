import * as m from '../../../messages/platforms.ts';
import { environment } from './environment-snippets.ts';
import type { Setup, SetupStep } from './template.ts';

/** One span that took a second until now; the ids are made by the shell. */
const span: SetupStep = {
  title: m.sendTestSpan,
  language: 'sh',
  code: `now=$(date +%s)
curl '‹origin›/v1/traces' \\
  -H 'authorization: Bearer ‹key›' -H 'content-type: application/json' \\
  -d '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"'$(openssl rand -hex 16)'","spanId":"'$(openssl rand -hex 8)'","name":"Hello, Culprit","kind":2,"startTimeUnixNano":"'$((now-1))'000000000","endTimeUnixNano":"'$now'000000000"}]}]}]}'`,
};

const collector: SetupStep = {
  title: m.collector,
  file: 'collector.yaml',
  language: 'yaml',
  code: `receivers:
  otlp:
    protocols:
      grpc:
      http:
exporters:
  otlphttp/culprit:
    endpoint: ‹origin›
    headers:
      authorization: Bearer ‹key›
service:
  pipelines:
    traces: { receivers: [otlp], exporters: [otlphttp/culprit] }
    logs: { receivers: [otlp], exporters: [otlphttp/culprit] }`,
};

export const platforms: Readonly<Record<string, Setup>> = {
  opentelemetry: { steps: [environment, collector, span] },
  // Any SDK takes the DSN; this shows that the way is open without one.
  other: {
    steps: [
      {
        title: m.sendTestError,
        language: 'sh',
        code: `curl '‹origin›/api/‹id›/store/?sentry_key=‹key›&sentry_version=7' \\
  -H 'content-type: application/json' \\
  -d '{"level":"error","exception":{"values":[{"type":"Error","value":"Hello, Culprit"}]}}'`,
      },
    ],
  },
};
