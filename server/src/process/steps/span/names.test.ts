import { expect, test } from 'vitest';
import { canonicalName, isConvention, isHarmlessName, noColumns, numericNames, renamed } from './names.ts';

test('a name of today is no name of before: nothing is renamed twice', () => {
  const twice = Object.values(renamed).filter((name) => canonicalName(name) !== name);
  expect(twice).toEqual([]);
});

test.each([
  ['http.method', 'http.request.method'],
  ['http.status_code', 'http.response.status_code'],
  ['http.url', 'url.full'],
  ['db.statement', 'db.query.text'],
  ['db.system', 'db.system.name'],
  ['db.sql.table', 'db.collection.name'],
  ['messaging.destination', 'messaging.destination.name'],
  ['net.peer.ip', 'network.peer.address'],
  ['gen_ai.usage.prompt_tokens', 'gen_ai.usage.input_tokens'],
  ['code.filepath', 'code.file.path'],
  ['lcp.element', 'browser.web_vital.lcp.element'],
  ['cls.source.2', 'browser.web_vital.cls.source.2'],
  ['browser.web_vital.inp.value', 'inp'],
  ['sentry.source', 'sentry.segment.name.source'],
  ['deviceMemory', 'device.memory.estimated_capacity'],
  ['tenant', 'tenant'],
  ['toString', 'toString'],
  ['__proto__', '__proto__'],
])('%s is stored as %s', (sent, stored) => {
  expect(canonicalName(sent)).toBe(stored);
});

test('numbers and columns are named as they are stored', () => {
  for (const name of [...numericNames, ...Object.keys(noColumns)]) expect(canonicalName(name)).toBe(name);
});

test('words that sound secret in names of conventions', () => {
  expect(isHarmlessName('gen_ai.usage.input_tokens')).toBe(true);
  expect(isHarmlessName('gen_ai.usage.output_tokens.reasoning')).toBe(true);
  expect(isHarmlessName('url.authority')).toBe(true);
  expect(isHarmlessName('gen_ai.token')).toBe(false);
  expect(isHarmlessName('http.request.header.authorization')).toBe(false);
  expect(isConvention('db.query.text')).toBe(true);
  expect(isConvention('cart.total')).toBe(false);
});
