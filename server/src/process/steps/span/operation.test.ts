import { describe, expect, test } from 'vitest';
import { inferOp, spanKind } from './operation.ts';

describe('ops are made from attributes', () => {
  test.each([
    ['server', { 'http.request.method': 'GET' }, 'http.server'],
    ['client', { 'http.request.method': 'GET' }, 'http.client'],
    ['internal', { 'http.request.method': 'GET' }, 'http'],
    ['client', { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1' }, 'db'],
    ['client', { 'db.system.name': 'redis' }, 'db.redis'],
    ['client', { 'rpc.system': 'grpc' }, 'rpc.client'],
    ['server', { 'rpc.system': 'grpc' }, 'rpc.server'],
    ['producer', { 'messaging.system': 'kafka' }, 'queue.publish'],
    ['consumer', { 'messaging.system': 'kafka' }, 'queue.process'],
    ['consumer', { 'messaging.system': 'kafka', 'messaging.operation.type': 'receive' }, 'queue.receive'],
    ['client', { 'messaging.system': 'kafka', 'messaging.operation.type': 'send' }, 'queue.publish'],
    ['client', { 'gen_ai.operation.name': 'chat', 'http.request.method': 'POST' }, 'gen_ai.chat'],
    ['server', { 'faas.trigger': 'http', 'http.request.method': 'POST' }, 'function.http'],
    ['internal', { 'graphql.operation.type': 'query' }, 'graphql.query'],
    ['producer', {}, 'queue.publish'],
    ['internal', { 'otel.scope.name': 'io.opentelemetry.spring-scheduling-3.1' }, 'task'],
    ['internal', { 'otel.scope.name': 'io.opentelemetry.quartz-2.0' }, 'task'],
    ['internal', { 'otel.scope.name': 'io.opentelemetry.jdbc' }, ''],
    ['internal', {}, ''],
    ['', { 'gen_ai.operation.name': '\u0000' }, 'gen_ai.other'],
  ])('%s %j is %s', (kind, attributes, op) => {
    expect(inferOp(kind, attributes as Record<string, string>)).toBe(op);
  });
});

test('kinds: as said, else by the op', () => {
  expect(spanKind('SERVER', '')).toBe('server');
  expect(spanKind('SPAN_KIND_CONSUMER', 'http.client')).toBe('consumer');
  expect(spanKind('strange', 'http.client')).toBe('client');
  expect(spanKind('', 'db.query')).toBe('client');
  expect(spanKind('', 'toString')).toBe('');
  expect(spanKind('', 'ui.render')).toBe('');
});
