/** Exceptions as the SDKs of OpenTelemetry sent them. */
import { expect, test } from 'vitest';
import { readLanguageFixture } from '../../../../../fixtures/index.ts';
import { signals } from '../../../base/otlp/index.ts';
import { context } from '../testing.ts';
import { types } from './index.ts';

interface Value {
  readonly type: string;
  readonly module?: string;
  readonly mechanism: Readonly<Record<string, unknown>>;
  readonly stacktrace?: { readonly frames: readonly Readonly<Record<string, unknown>>[] };
}

function eventsOf(name: string, logExceptions = false) {
  const { meta, bytes } = readLanguageFixture(name);
  const signal = meta.path.endsWith('logs') ? 'logs' : 'traces';
  const item = { type: signals[signal].itemType, header: { form: 'protobuf', take: 1_000 }, payload: bytes };
  const settings = { ...context.settings, logExceptions };
  const result = types[signals[signal].itemType]?.(item, { ...context, settings });
  const finished = result?.maybeReported?.map((one) => one.finish(false)) ?? [];
  return finished
    .flatMap(({ events = [] }) => events)
    .map(({ row }) => {
      const payload = JSON.parse(row.payload) as { exception: { values: readonly Value[] } };
      return { row, values: payload.exception.values };
    });
}

const links = (values: readonly Value[]): string[] =>
  values.map(({ type, mechanism }) => `${type} ${String(mechanism.source ?? mechanism.type)}`);

test('Java: causes and suppressed exceptions', () => {
  const all = eventsOf('otel-java/main-2').map(({ values }) => values);
  const [values = []] = all.filter((each) => each.length > 1);
  expect(links(values)).toEqual([
    'NumberFormatException cause',
    'IllegalStateException suppressed',
    expect.stringMatching(/^\w+\$OutOfStock opentelemetry$/),
  ]);
  for (const { stacktrace } of values) {
    expect(stacktrace?.frames.every((frame) => typeof frame['module'] === 'string')).toBe(true);
    expect(stacktrace?.frames[0]).toMatchObject({ function: 'main' });
  }
});

test('Python: direct causes, groups and their members, lines of source, without calls of OpenTelemetry', () => {
  const all = eventsOf('otel-python/main').map(({ values }) => values);
  const caused = all.find((values) => links(values).some((link) => link.endsWith('__cause__')));
  expect(links(caused ?? [])).toEqual(['ValueError __cause__', 'RuntimeError opentelemetry']);
  const grouped = all.find((values) => values.at(-1)?.mechanism['is_exception_group'] === true);
  expect(grouped?.filter(({ mechanism }) => String(mechanism['source']).startsWith('exceptions['))).toHaveLength(3);
  const frames = all.flat().flatMap(({ stacktrace }) => stacktrace?.frames ?? []);
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.filter((frame) => frame['context_line'] === undefined)).toEqual([]);
  expect(frames.filter((frame) => String(frame['module']).startsWith('opentelemetry'))).toEqual([]);
});

test('Python: one exception, recorded by an inner span and by hand in the outer one, is one event', () => {
  const events = eventsOf('otel-python/main').map(({ row }) => `${row.trace_id} ${row.error_type} ${row.error_value}`);
  expect(new Set(events).size).toBe(events.length);
  expect(eventsOf('otel-python/rise')).toHaveLength(1);
});

test('Python: an exception of a log record', () => {
  expect(eventsOf('otel-python/main-2')).toEqual([]);
  const [event] = eventsOf('otel-python/main-2', true);
  expect(links(event?.values ?? [])).toEqual(['KeyError __context__', 'ZeroDivisionError opentelemetry.log']);
});

test('Go: what panicked, without the recorder', () => {
  for (const { values } of eventsOf('otel-go/main')) {
    const names = values.flatMap(({ stacktrace }) => stacktrace?.frames.map((frame) => frame['module']) ?? []);
    expect(names.filter((name) => String(name).startsWith('go.opentelemetry.io'))).toEqual([]);
  }
});
