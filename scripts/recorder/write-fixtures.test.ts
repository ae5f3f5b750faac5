import { serializeEnvelope } from '@culprit/envelope';
import { mkdtempDisposableSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFixtures } from './write-fixtures.ts';

const sender = { folder: 'node-11', sdk: '@sentry/node', version: '11.0.0', runtime: 'Node 24.0.0' };
const scenario = { name: 'crash', main: ['event'], also: ['session'] };

function recorded(type: string, payload: string) {
  return {
    method: 'POST',
    path: '/api/1/envelope/',
    headers: [['host', '127.0.0.1:4711']] as const,
    body: serializeEnvelope({}, [{ header: { type }, payload }]),
  };
}

it('names what it keeps by scenario, type and order, and leaves out the rest', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'fixtures-'));
  const names = writeFixtures(
    root.path,
    sender,
    scenario,
    [recorded('session', '{}'), recorded('event', '{}'), recorded('client_report', '{}'), recorded('event', '{}')],
    [],
  );
  expect(names).toEqual(['crash-session', 'crash', 'crash-2']);
  expect(readdirSync(join(root.path, 'node-11')).sort()).toEqual([
    'crash-2.envelope',
    'crash-2.json',
    'crash-session.envelope',
    'crash-session.json',
    'crash.envelope',
    'crash.json',
  ]);
});

it('refuses a scenario without its main item, and a trace of the machine', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'fixtures-'));
  expect(() => writeFixtures(root.path, sender, scenario, [recorded('session', '{}')], [])).toThrow(/sent no event/);
  const attachment = serializeEnvelope({}, [
    { header: { type: 'event' }, payload: '{}' },
    { header: { type: 'attachment' }, payload: 'see /home/me' },
  ]);
  const leaking = { ...recorded('event', '{}'), body: attachment };
  expect(() => writeFixtures(root.path, sender, scenario, [leaking], [{ from: '/home/me', to: '/app' }])).toThrow(
    /still contains/,
  );
});
