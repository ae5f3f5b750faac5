/**
 * Names of attributes. One set is stored: OpenTelemetry's semantic conventions, and Sentry's where those have none.
 * What older conventions and SDKs call otherwise is renamed here, and nowhere else.
 */

/** Older name → the name it is stored under. */
export const renamed: Readonly<Record<string, string>> = {
  'http.method': 'http.request.method',
  'http.request_method': 'http.request.method',
  'http.status_code': 'http.response.status_code',
  'http.response_status_code': 'http.response.status_code',
  'http.status_text': 'http.response.status_text',
  'http.url': 'url.full',
  'http.scheme': 'url.scheme',
  'http.query': 'url.query',
  'http.fragment': 'url.fragment',
  'http.host': 'server.address',
  'http.server_name': 'server.address',
  'http.flavor': 'network.protocol.version',
  'http.user_agent': 'user_agent.original',
  'http.client_ip': 'client.address',
  'http.request_content_length': 'http.request.body.size',
  'http.response_content_length': 'http.response.body.size',
  'http.response_transfer_size': 'http.response.size',
  'http.decoded_response_content_length': 'http.response.body.decoded_size',
  'url.same_origin': 'http.request.same_origin',
  'net.host.name': 'server.address',
  'net.host.port': 'server.port',
  'net.host.ip': 'network.local.address',
  'net.sock.host.addr': 'network.local.address',
  'net.sock.host.port': 'network.local.port',
  'net.peer.name': 'server.address',
  'net.peer.ip': 'network.peer.address',
  'net.peer.port': 'network.peer.port',
  'net.sock.peer.addr': 'network.peer.address',
  'net.sock.peer.port': 'network.peer.port',
  'net.transport': 'network.transport',
  'net.protocol.name': 'network.protocol.name',
  'net.protocol.version': 'network.protocol.version',
  'net.host.connection.type': 'network.connection.type',
  'db.system': 'db.system.name',
  'db.statement': 'db.query.text',
  'db.operation': 'db.operation.name',
  'db.name': 'db.namespace',
  'db.sql.table': 'db.collection.name',
  'db.mongodb.collection': 'db.collection.name',
  'db.cassandra.table': 'db.collection.name',
  'db.redis.database_index': 'db.namespace',
  'messaging.destination': 'messaging.destination.name',
  'messaging.operation': 'messaging.operation.type',
  'messaging.message_id': 'messaging.message.id',
  'messaging.conversation_id': 'messaging.message.conversation_id',
  'messaging.message_payload_size_bytes': 'messaging.message.body.size',
  'messaging.kafka.consumer_group': 'messaging.consumer.group.name',
  'gen_ai.system': 'gen_ai.provider.name',
  'gen_ai.usage.prompt_tokens': 'gen_ai.usage.input_tokens',
  'gen_ai.usage.completion_tokens': 'gen_ai.usage.output_tokens',
  'ai.prompt_tokens.used': 'gen_ai.usage.input_tokens',
  'ai.completion_tokens.used': 'gen_ai.usage.output_tokens',
  'ai.total_tokens.used': 'gen_ai.usage.total_tokens',
  'ai.model_id': 'gen_ai.response.model',
  'ai.model.provider': 'gen_ai.provider.name',
  'ai.input_messages': 'gen_ai.input.messages',
  'ai.temperature': 'gen_ai.request.temperature',
  'ai.pipeline.name': 'gen_ai.pipeline.name',
  'code.filepath': 'code.file.path',
  'code.function': 'code.function.name',
  'code.lineno': 'code.line.number',
  'code.column': 'code.column.number',
  'deployment.environment': 'deployment.environment.name',
  'enduser.id': 'user.id',
  'user.username': 'user.name',
  'faas.execution': 'faas.invocation_id',
  effectiveConnectionType: 'network.connection.effective_type',
  'connection.effectiveType': 'network.connection.effective_type',
  'connection.rtt': 'network.connection.rtt',
  connectionType: 'network.connection.type',
  deviceMemory: 'device.memory.estimated_capacity',
  hardwareConcurrency: 'device.processor_count',
  'performance.timeOrigin': 'browser.performance.time_origin',
  'performance.activationStart': 'browser.performance.navigation.activation_start',
  'lcp.element': 'browser.web_vital.lcp.element',
  'lcp.id': 'browser.web_vital.lcp.id',
  'lcp.url': 'browser.web_vital.lcp.url',
  'lcp.size': 'browser.web_vital.lcp.size',
  'lcp.loadTime': 'browser.web_vital.lcp.load_time',
  'lcp.renderTime': 'browser.web_vital.lcp.render_time',
  'ttfb.requestTime': 'browser.web_vital.ttfb.request_time',
  'browser.web_vital.lcp.value': 'lcp',
  'browser.web_vital.cls.value': 'cls',
  'browser.web_vital.inp.value': 'inp',
  'browser.web_vital.fcp.value': 'fcp',
  'browser.web_vital.fp.value': 'fp',
  'browser.web_vital.ttfb.value': 'ttfb',
  replay_id: 'sentry.replay_id',
  replayId: 'sentry.replay_id',
  profiler_id: 'sentry.profiler_id',
  'sentry.idle_span.finish_reason': 'sentry.idle_span_finish_reason',
  'sentry.status_message': 'sentry.status.message',
  'otel.status_description': 'sentry.status.message',
  'sentry.span.source': 'sentry.segment.name.source',
  'sentry.source': 'sentry.segment.name.source',
  'sentry.transaction': 'sentry.segment.name',
  'otel.kind': 'sentry.kind',
};

/** `cls.source.1` and on: the elements that moved. */
const shiftSource = /^cls\.source\.(\d{1,2})$/;

export function canonicalName(name: string): string {
  if (Object.hasOwn(renamed, name)) return renamed[name] ?? name;
  const source = name.startsWith('cls.source.') ? shiftSource.exec(name)?.[1] : undefined;
  return source === undefined ? name : `browser.web_vital.cls.source.${source}`;
}

/**
 * Become columns of the row, so that they are no attributes. Each span has a copy: objects of one shape, in less room than
 * a map takes that is filled name by name.
 */
export const noColumns = {
  'sentry.op': undefined,
  'sentry.origin': undefined,
  'sentry.kind': undefined,
  'sentry.segment.id': undefined,
  'sentry.segment.name': undefined,
  'sentry.segment.name.source': undefined,
  'sentry.release': undefined,
  'sentry.environment': undefined,
  'sentry.dist': undefined,
  'sentry.platform': undefined,
  'sentry.sdk.name': undefined,
  'sentry.sdk.version': undefined,
  'sentry.exclusive_time': undefined,
  'sentry.trace_lifecycle': undefined,
  'service.name': undefined,
} as const satisfies Record<string, undefined>;

export type ColumnName = keyof typeof noColumns;

export const isColumnName = (name: string): name is ColumnName => Object.hasOwn(noColumns, name);

/** Numbers, also where a sender has them as text (`"16 GB"`, `"200"`). */
export const numericNames: ReadonlySet<string> = new Set([
  'http.response.status_code',
  'http.request.body.size',
  'http.response.body.size',
  'http.response.body.decoded_size',
  'http.response.size',
  'http.request.resend_count',
  'server.port',
  'client.port',
  'network.peer.port',
  'network.local.port',
  'network.connection.rtt',
  'rpc.grpc.status_code',
  'messaging.message.body.size',
  'messaging.message.receive.latency',
  'messaging.message.retry.count',
  'messaging.batch.message_count',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.total_tokens',
  'code.line.number',
  'code.column.number',
  'device.memory.estimated_capacity',
  'device.processor_count',
  'db.response.returned_rows',
  'db.operation.batch.size',
  'lcp',
  'cls',
  'inp',
  'fcp',
  'fp',
  'ttfb',
  'fid',
]);

/** Names that sound secret by a word within them and are not. */
const harmless = /^(?:gen_ai\.(?:usage|request)\.[a-z_.]{0,60}tokens?(?:[._][a-z_.]{1,60})?|(?:url|http)\.authority)$/;

export function isHarmlessName(name: string): boolean {
  return harmless.test(name);
}

/** Conventions' own namespaces: their texts are read by people, so that only the secret part of them is taken out. */
const namespaces = new Set([
  'app',
  'browser',
  'cache',
  'client',
  'cloud',
  'code',
  'container',
  'culture',
  'db',
  'deployment',
  'device',
  'error',
  'exception',
  'faas',
  'gen_ai',
  'graphql',
  'host',
  'http',
  'k8s',
  'mcp',
  'messaging',
  'network',
  'os',
  'process',
  'react',
  'resource',
  'rpc',
  'runtime',
  'sentry',
  'server',
  'service',
  'telemetry',
  'thread',
  'url',
  'user_agent',
]);

export function isConvention(name: string): boolean {
  const dot = name.indexOf('.');
  return dot > 0 && namespaces.has(name.slice(0, dot));
}

/** Addresses of people's machines: kept only where the project keeps addresses. */
export const clientAddressNames: ReadonlySet<string> = new Set([
  'client.address',
  'user.ip_address',
  'network.peer.address',
]);

/** Who it was about, kept as errors keep it; machines of ours. What is no secret by its form stays. */
export const idNames: ReadonlySet<string> = new Set([
  'user.id',
  'user.name',
  'user.email',
  'server.address',
  'server.port',
  'network.local.address',
  'url.domain',
  'user_agent.original',
]);
