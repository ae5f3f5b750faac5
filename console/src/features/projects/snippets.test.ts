import { expect, test } from 'vitest';
import { platforms } from './platforms.ts';
import { snippets } from './snippets.ts';

const dsn = 'http://0123456789abcdef0123456789abcdef@localhost:7420/1';

test('every framework installs, starts with the DSN, and throws a test error', () => {
  for (const { id } of platforms) {
    const steps = snippets(id, dsn);
    const text = steps.map((step) => step.code).join('\n');
    expect(text, id).toContain('Hello, Culprit');
    if (id === 'other' || id === 'opentelemetry') continue;
    expect(steps[0]?.code, id).toMatch(/^npm install @sentry\//);
    expect(text, id).toContain(dsn);
    // Errors and traces with one paste.
    expect(text, id).toContain('tracesSampleRate');
  }
});

test('a browser traces its page loads, whichever SDK', () => {
  for (const id of ['javascript', 'javascript-react'])
    expect(
      snippets(id, dsn)
        .map(({ code }) => code)
        .join(''),
    ).toContain('browserTracingIntegration()');
});

test('OpenTelemetry is configured by its own variables, and can be tried without an SDK', () => {
  const [environment, , span] = snippets('opentelemetry', dsn);
  expect(environment?.code).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:7420\n');
  expect(environment?.code).toContain('Bearer%200123456789abcdef0123456789abcdef');
  expect(span?.code).toContain("curl 'http://localhost:7420/v1/traces'");
  expect(snippets('opentelemetry', 'broken')).toHaveLength(3);
});

test('without an SDK the key and the project are taken from the DSN', () => {
  expect(snippets('other', dsn)[0]?.code).toContain(
    'http://localhost:7420/api/1/store/?sentry_key=0123456789abcdef0123456789abcdef',
  );
  expect(snippets('other', 'broken')[0]?.code).toContain('/store/');
});
