import { parseEnvelope } from '@culprit/envelope';
import { digestFor } from '@culprit/react/digest';
import { expect, test } from 'vitest';
import { CodedError } from '../errors.ts';
import { type Failed, toEnvelope } from './event-client.ts';

const key = { projectId: 7, publicKey: 'a'.repeat(32) };

async function eventOf(failed: Partial<Failed> & Pick<Failed, 'error'>) {
  const eventId = crypto.randomUUID().replaceAll('-', '');
  const envelope = await toEnvelope(
    {
      digest: digestFor(failed.error),
      level: 'error',
      message: 'something failed',
      code: undefined,
      request: undefined,
      fields: undefined,
      ...failed,
      eventId,
    },
    key,
  );
  const { header, items } = parseEnvelope(envelope);
  expect(header['event_id']).toBe(eventId);
  expect(items.map(({ header: { type } }) => type)).toEqual(['event']);
  return JSON.parse(Buffer.from(items[0]?.payload ?? []).toString()) as {
    [name: string]: unknown;
    exception: { values: { type: string; value: string; stacktrace?: { frames: Record<string, unknown>[] } }[] };
  };
}

test('the line that threw, with its source, named from the root of the program', async () => {
  const event = await eventOf({ error: new RangeError('too far') }); // here
  expect(event).toMatchObject({
    platform: 'node',
    level: 'error',
    release: expect.stringMatching(/^culprit@/) as string,
    tags: { digest: expect.stringMatching(/^\d{1,10}$/) as string },
    contexts: { failure: { message: 'something failed' } },
  });
  const [exception] = event.exception.values;
  expect(exception).toMatchObject({ type: 'RangeError', value: 'too far', mechanism: { handled: false } });
  expect(exception?.stacktrace?.frames.at(-1)).toMatchObject({
    filename: 'server/src/base/self/event-client.test.ts',
    in_app: true,
    context_line: expect.stringContaining("new RangeError('too far') }); // here") as string,
    pre_context: expect.arrayContaining([
      "test('the line that threw, with its source, named from the root of the program', async () => {",
    ]) as string[],
  });
});

test('the trace of the browser goes on, the request says where', async () => {
  const event = await eventOf({
    error: new Error('x'),
    request: {
      method: 'GET',
      path: '/api/0/',
      url: 'http://localhost/api/0/',
      route: '/api/0/',
      headers: { 'user-agent': 'test' },
      sentryTrace: 'aaaabbbbccccddddaaaabbbbccccdddd-1111222233334444-1',
    },
  });
  expect(event).toMatchObject({
    transaction: 'GET /api/0/',
    request: { method: 'GET', url: 'http://localhost/api/0/', headers: { 'user-agent': 'test' } },
    contexts: { trace: { trace_id: 'aaaabbbbccccddddaaaabbbbccccdddd', parent_span_id: '1111222233334444' } },
  });
});

test('a trouble with a code is one issue, with what caused it', async () => {
  const error = new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error('connect ECONNREFUSED') });
  const event = await eventOf({ error, code: error.code, level: 'warning', fields: { from: 1 } });
  expect(event).toMatchObject({
    level: 'warning',
    fingerprint: ['culprit', 'ENGINE_UNAVAILABLE'],
    tags: { code: 'ENGINE_UNAVAILABLE' },
    contexts: { failure: { from: 1 } },
  });
  expect(event.exception.values.map(({ value }) => value)).toEqual(['connect ECONNREFUSED', error.message]);
});

test.each([['a string'], [undefined], [null], [42], [{ odd: true }], [Object.create(null) as object], [Symbol('x')]])(
  'what is thrown need not be an error: %s',
  async (thrown) => {
    expect((await eventOf({ error: thrown })).exception.values.length).toBe(1);
  },
);
