/** What kind of work a span was, for senders that name it by attributes alone, and who called whom. */

export type Attributes = Readonly<Record<string, string>>;

interface OperationRule {
  /** The attribute that must be there. */
  readonly has: string;
  readonly op: (value: string, kind: string, attributes: Attributes) => string;
}

const keyValueStores = new Set(['redis', 'valkey', 'memcached']);

/** The first that matches decides. */
export const operationRules: readonly OperationRule[] = [
  { has: 'faas.trigger', op: (trigger) => `function.${word(trigger)}` },
  { has: 'messaging.system', op: (_, kind, { 'messaging.operation.type': type }) => queueOp(kind, type) },
  { has: 'gen_ai.operation.name', op: (operation) => `gen_ai.${word(operation)}` },
  { has: 'mcp.method.name', op: (_, kind) => (kind === 'client' ? 'mcp.client' : 'mcp.server') },
  { has: 'db.system.name', op: (system) => (keyValueStores.has(system.toLowerCase()) ? `db.redis` : 'db') },
  { has: 'db.query.text', op: () => 'db' },
  { has: 'graphql.operation.type', op: (type) => `graphql.${word(type)}` },
  { has: 'rpc.system', op: (_, kind) => (kind === 'server' ? 'rpc.server' : 'rpc.client') },
  { has: 'rpc.system.name', op: (_, kind) => (kind === 'server' ? 'rpc.server' : 'rpc.client') },
  { has: 'http.request.method', op: (_, kind) => httpOp(kind) },
  { has: 'url.full', op: (_, kind) => (kind === 'client' ? 'http.client' : kind === 'server' ? 'http.server' : '') },
];

/** '' where nothing tells. `kind` is one of `spanKind`. */
export function inferOp(kind: string, attributes: Attributes): string {
  for (const { has, op } of operationRules) {
    const value = attributes[has];
    if (value !== undefined && Object.hasOwn(attributes, has)) return op(value, kind, attributes);
  }
  if (kind === 'producer' || kind === 'consumer') return queueOp(kind, undefined);
  const { 'otel.scope.name': scope } = attributes;
  return scope !== undefined && isScheduler(scope) ? 'task' : '';
}

/** OpenTelemetry's agents name scheduled work by the instrumentation alone, of Spring, Quartz and others. */
const schedulers = /^io\.opentelemetry\.(?:spring-scheduling|quartz|powerjob|xxl-job|apache-elasticjob)\b/;

const isScheduler = (scope: string): boolean => scope.startsWith('io.opentelemetry.') && schedulers.test(scope);

function httpOp(kind: string): string {
  return kind === 'server' ? 'http.server' : kind === 'client' ? 'http.client' : 'http';
}

function queueOp(kind: string, type: string | undefined): string {
  if (type === 'publish' || type === 'send' || type === 'create') return 'queue.publish';
  if (type === 'receive' || type === 'settle') return `queue.${type}`;
  return kind === 'producer' && type !== 'process' ? 'queue.publish' : 'queue.process';
}

function word(value: string): string {
  const cut = /^[\w.-]{1,64}/.exec(value)?.[0];
  return cut === undefined ? 'other' : cut.toLowerCase();
}

const kinds = new Set(['server', 'client', 'producer', 'consumer', 'internal']);

const kindByOp: Readonly<Record<string, string>> = {
  'http.server': 'server',
  'http.client': 'client',
  'rpc.server': 'server',
  'rpc.client': 'client',
  'grpc.server': 'server',
  'grpc.client': 'client',
  'queue.publish': 'producer',
  'queue.process': 'consumer',
  'queue.receive': 'consumer',
};

/** server, client, producer, consumer, internal or '': as said (`SPAN_KIND_SERVER` too), else by what the op is. */
export function spanKind(said: string, op: string): string {
  const kind = said.toLowerCase().replace(/^span_kind_/, '');
  if (kinds.has(kind)) return kind;
  if (Object.hasOwn(kindByOp, op)) return kindByOp[op] ?? '';
  return op === 'db' || op.startsWith('db.') ? 'client' : '';
}
