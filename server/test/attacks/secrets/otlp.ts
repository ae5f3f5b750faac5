/** Requests of OpenTelemetry's protocol with each text that its published definitions have. */
import { messagePlan, type Signal, signals } from '../../../src/base/otlp/index.ts';
import { secretNames } from './forms.ts';
import type { Ids, Times } from './payloads.ts';

const groupMessages = {
  traces: 'opentelemetry.proto.trace.v1.ResourceSpans',
  logs: 'opentelemetry.proto.logs.v1.ResourceLogs',
  metrics: 'opentelemetry.proto.metrics.v1.ResourceMetrics',
} as const satisfies Readonly<Record<Signal, string>>;

/** Of whom attributes are, by the messages that have them: a record hides what its resource says under the same name. */
const names: Readonly<Record<string, readonly string[]>> = {
  resource: [
    'service.name',
    'service.version',
    'deployment.environment.name',
    'host.name',
    'telemetry.sdk.name',
    'resource.own',
  ],
  scope: ['scope.own', 'scope.password', 'scope.jwt'],
};
const others = [
  'exception.type',
  'exception.message',
  'exception.stacktrace',
  'http.route',
  'url.full',
  'url.query',
  'db.query.text',
  'user.id',
  'user_agent.original',
  'own.text',
  ...secretNames,
];

const attributesOf = (owner: string): object[] => [
  ...(names[owner] ?? others).map((key) => ({ key, value: { stringValue: '' } })),
  { key: `${owner}.list`, value: { arrayValue: { values: [{ stringValue: '' }] } } },
  { key: `${owner}.map`, value: { kvlistValue: { values: [{ key: 'password', value: { stringValue: '' } }] } } },
];

/** In the JSON form; ids are hex. */
export function otlpRequest(signal: Signal, times: Times, ids: Ids): object {
  return {
    [signals[signal].groups]: [messageOf(messagePlan(groupMessages[signal]), { times, ids, depth: 0, owner: '' })],
  };
}

interface Input {
  readonly times: Times;
  readonly ids: Ids;
  readonly depth: number;
  /** Field that the message is. */
  readonly owner: string;
}

function messageOf(plan: ReturnType<typeof messagePlan>, input: Input): object {
  if (input.depth > 8) return {};
  const fields = fieldsOf(plan).map(({ name, repeated, scalar, message }): [string, unknown] => {
    if (name === 'attributes' || name === 'filteredAttributes') return [name, attributesOf(input.owner)];
    if (message && fieldsOf(message).some((field) => field.name === 'stringValue')) return [name, { stringValue: '' }];
    const value = message
      ? messageOf(message, { ...input, depth: input.depth + 1, owner: name })
      : scalarOf(name, scalar, input);
    if (name === 'events') return [name, [value, { ...(value as object), name: 'exception' }]];
    return [name, repeated ? [value] : value];
  });
  return Object.fromEntries(fields);
}

const fieldsOf = ({ fields }: ReturnType<typeof messagePlan>) => fields.filter((field) => field !== undefined);

function scalarOf(name: string, scalar: string, { times, ids }: Input): unknown {
  if (name === 'traceId') return ids.trace;
  if (name === 'parentSpanId') return 'b0e6f15b45c36b14';
  if (name === 'spanId') return ids.span;
  // What was recorded is an exception, so that it becomes an event.
  if (scalar === 'string') return '';
  if (scalar === 'bytes') return '';
  if (scalar === 'bool') return true;
  if (name === 'startTimeUnixNano') return `${Math.trunc((times.now - 1) * 1e6)}000`;
  if (name.endsWith('TimeUnixNano') || name === 'timeUnixNano') return `${Math.trunc(times.now * 1e6)}000`;
  if (name === 'kind' || name === 'code') return 2;
  return /64/.test(scalar) ? '0' : 0;
}
