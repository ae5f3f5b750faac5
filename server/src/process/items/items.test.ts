import { itemTypes } from '@culprit/envelope';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { keepAside, processItem } from './index.ts';
import { context, outcomesOf, receivedAt, run, textOf, bytesOf } from './testing.ts';

describe('processItem', () => {
  it('makes an event a row, a grouping and the seed of an issue', () => {
    const result = run(
      'event',
      {
        event_id: 'fc6d8c0c43fc4630ad850ee518f1b9d0',
        timestamp: (receivedAt - 5000) / 1000,
        platform: 'node',
        level: 'fatal',
        release: 'web@1',
        environment: 'production',
        transaction: 'GET /cart',
        tags: { tenant: 'acme', digest: '1930860604' },
        user: { id: 7, email: 'ada@example.com' },
        sdk: { name: 'sentry.javascript.node', version: '11.12.0' },
        contexts: {
          trace: { trace_id: 'F0D99AA356A54A5AAB63D5BE80D7614A', span_id: '8261b80f79083b70' },
          runtime: { name: 'node', version: 'v24' },
        },
        exception: {
          values: [
            {
              type: 'TypeError',
              value: 'x is undefined',
              mechanism: { type: 'generic', handled: false },
              stacktrace: { frames: [{ function: 'f', filename: '/app/a.js', in_app: true }] },
            },
          ],
        },
      },
      { envelopeEventId: 'b'.repeat(32) },
    );
    expect(outcomesOf(result)).toEqual([['error', 'accepted', 1]]);
    const event = result.events?.[0];
    expect(event?.row).toMatchObject({
      project_id: 1,
      event_id: 'b'.repeat(32),
      timestamp: receivedAt - 5000,
      received_at: receivedAt,
      level: 'fatal',
      platform: 'node',
      release: 'web@1',
      environment: 'production',
      transaction: 'GET /cart',
      title: 'TypeError: x is undefined',
      culprit: 'GET /cart',
      error_type: 'TypeError',
      error_value: 'x is undefined',
      handled: 0,
      mechanism: 'generic',
      user: 'id:7',
      user_email: 'ada@example.com',
      digest: '1930860604',
      trace_id: 'f0d99aa356a54a5aab63d5be80d7614a',
      span_id: '8261b80f79083b70',
      sdk_name: 'sentry.javascript.node',
      tags: { tenant: 'acme', digest: '1930860604', runtime: 'node v24', 'runtime.name': 'node' },
      grouping_version: 'culprit:3',
    });
    expect(event?.row.group_hash).toBe(event?.grouping.hashes[0]);
    expect(event?.row.group_hashes).toEqual(event?.grouping.hashes);
    expect(event?.seed).toMatchObject({
      title: 'TypeError: x is undefined',
      type: 'error',
      metadata: { function: 'f', filename: '/app/a.js' },
    });
    expect(JSON.parse(event?.row.payload ?? '')).toMatchObject({
      event_id: 'b'.repeat(32),
      exception: { values: [{ type: 'TypeError' }] },
    });
  });

  it('gives the same for the same input, also where the client sent no id', () => {
    const once = run('event', { message: 'm' }).events?.[0]?.row;
    expect(run('event', { message: 'm' }).events?.[0]?.row).toEqual(once);
    expect(once?.event_id).toMatch(/^[\da-f]{32}$/);
    expect(run('event', { message: 'n' }).events?.[0]?.row.event_id).not.toBe(once?.event_id);
    expect(run('event', { message: 'm' }, { projectId: 2 }).events?.[0]?.row.event_id).not.toBe(once?.event_id);
  });

  it('links an event to the trace of its envelope', () => {
    expect(
      run('event', { message: 'm' }, { trace: { trace_id: 'f0d99aa356a54a5aab63d5be80d7614a' } }).events?.[0]?.row
        .trace_id,
    ).toBe('f0d99aa356a54a5aab63d5be80d7614a');
    expect(run('event', { message: 'm' }, { trace: { trace_id: '0'.repeat(32) } }).events?.[0]?.row.trace_id).toBe('');
  });

  it.each([
    ['no JSON', '{"a":', 'invalid:json'],
    ['no object', '[]', 'invalid:not_an_object'],
    ['nothing', '', 'invalid:json'],
    ['null', 'null', 'invalid:not_an_object'],
    ['too much', `"${'x'.repeat(1024 * 1024)}"`, 'invalid:too_large'],
  ])('keeps an event aside that is %s', (_name, payload, outcome) => {
    const result = run('event', payload);
    expect(outcomesOf(result)).toEqual([['error', outcome, 1]]);
    expect(result.events).toBeUndefined();
    expect(result.kept?.[0]?.row).toMatchObject({
      item_type: 'event',
      category: 'error',
      outcome: 'invalid',
      size_bytes: payload.length,
    });
  });

  it('counts a surprise as invalid:internal and keeps the item', () => {
    const broken = {
      ...context,
      get settings(): never {
        throw new Error('settings are gone');
      },
    };
    const item = { type: 'event', header: {}, payload: new TextEncoder().encode('{}') };
    const last = processItem(item, broken);
    expect(outcomesOf(last)).toEqual([['error', 'invalid:internal', 1]]);
    expect(last.kept?.[0]?.row).toMatchObject({
      reason: 'internal',
      detail: 'settings are gone',
      payload: '',
      size_bytes: 2,
    });
    const once = { ...context };
    let reads = 0;
    Object.defineProperty(once, 'settings', { get: () => (reads++ === 0 ? undefined : context.settings) });
    expect(outcomesOf(processItem(item, once))).toEqual([['error', 'invalid:internal', 1]]);
  });

  it('has an outcome in the right category for every known type', () => {
    for (const type of itemTypes) {
      const result = run(type.name, {});
      expect(result.outcomes, type.name).toHaveLength(1);
      expect(result.outcomes[0]?.category, type.name).toBe(type.category);
    }
  });
});

describe('kept items', () => {
  it('are scrubbed and counted by their entries', () => {
    const payload = {
      version: 2,
      items: [
        {
          body: 'x',
          attributes: {
            'user.password': { value: 'hunter2', type: 'string' },
            note: { value: 'my token=hunter3', type: 'string' },
          },
        },
      ],
    };
    const result = run(
      'trace_metric',
      payload,
      { envelopeEventId: 'c'.repeat(32) },
      { item_count: 3, content_type: 'application/vnd.sentry.items.trace-metric+json' },
    );
    expect(outcomesOf(result)).toEqual([['trace_metric', 'accepted', 3]]);
    const row = result.kept?.[0]?.row;
    expect(row).toMatchObject({
      item_type: 'trace_metric',
      category: 'trace_metric',
      outcome: 'accepted',
      reason: '',
      event_id: 'c'.repeat(32),
      blob_key: '',
    });
    expect(row?.payload).not.toMatch(/hunter\d/);
    expect(JSON.parse(row?.headers ?? '')).toMatchObject({ type: 'trace_metric', item_count: 3 });
  });

  it('of unknown types are counted as such and kept', () => {
    const result = run('hologram', { a: 1 });
    expect(outcomesOf(result)).toEqual([['unknown', 'invalid:unknown_type', 1]]);
    expect(result.kept?.[0]?.row).toMatchObject({
      item_type: 'hologram',
      outcome: 'invalid',
      reason: 'unknown_type',
      payload: '{"a":1}',
    });
    expect(run('x'.repeat(500), '').kept?.[0]?.row.item_type).toHaveLength(64);
    expect(outcomesOf(run('__proto__', ''))).toEqual([['unknown', 'invalid:unknown_type', 1]]);
  });

  it('go to the blob store when binary or large', () => {
    const binary = Uint8Array.from([0x78, 0x9c, 0, 1, 2]);
    expect(run('attachment', binary).kept).toEqual([
      { row: expect.objectContaining({ payload: '', size_bytes: 5, category: 'attachment' }), blob: binary },
    ]);
    const large = run('profile', {
      samples: 'x'.repeat(70_000),
      token: 'secret',
      list: Array.from({ length: 20_000 }, (_, index) => index),
    }).kept?.[0];
    const stored = JSON.parse(textOf(large?.blob)) as {
      samples: string;
      token: string;
      list: number[];
    };
    expect([stored.samples.length, stored.token, stored.list.length]).toEqual([70_000, '[Filtered]', 20_000]);
    expect(large?.row.payload).toBe('');
    expect(run('attachment', '').kept?.[0]).toMatchObject({ row: { payload: '', size_bytes: 0 } });
  });

  it('of text above 1 MiB are refused as attachments, and scrubbed where the project allows them', () => {
    const text = Buffer.from(`${'a line\n'.repeat(200_000)}password=hunter2\n`);
    const header = { filename: 'app.log' };
    const refused = processItem({ type: 'attachment', header, payload: text }, context);
    expect(outcomesOf(refused)).toEqual([['attachment', 'invalid:too_large', 1]]);
    expect(refused.kept?.[0]?.blob).toBeUndefined();
    expect(refused.kept?.[0]?.row).toMatchObject({
      headers: '{"filename":"app.log"}',
      size_bytes: text.length,
      payload: '',
      detail: '1.4 MB of text exceeds 1 MiB; the project can allow more',
    });
    const settings = { ...context.settings, largeTextAttachments: true };
    for (const [encoded, encoding] of [
      [text, 'utf8'],
      [Buffer.from(text.toString(), 'utf16le'), 'utf16le'],
      [Buffer.from(`${text.toString()}Gr\xf6\xdfe`, 'latin1'), 'latin1'],
    ] as const) {
      const taken = processItem({ type: 'attachment', header, payload: encoded }, { ...context, settings });
      expect(outcomesOf(taken)).toEqual([['attachment', 'accepted', 1]]);
      const blob = taken.kept?.[0]?.blob;
      const stored = bytesOf(blob).toString(encoding);
      expect(stored).toContain('a line\npassword=[Filtered]\n');
      expect(stored).not.toContain('hunter2');
      // Storing may have to be tried again.
      expect(bytesOf(blob).toString(encoding)).toBe(stored);
      expect(outcomesOf(processItem({ type: 'attachment', header: {}, payload: encoded }, context))).toEqual([
        ['attachment', 'invalid:too_large', 1],
      ]);
    }
  });

  it('of small text in other encodings are scrubbed too, and stay in those', () => {
    for (const [encoding, zeros] of [
      ['utf16le', 0],
      ['latin1', 0],
      ['utf8', 3],
    ] as const) {
      const text = `Größe 12 in der Straße 7\npassword=hunter2\n${'\0'.repeat(zeros)}${'and so on, '.repeat(50)}`;
      const blob = run('attachment', Buffer.from(text, encoding)).kept?.[0]?.blob;
      expect(bytesOf(blob).toString(encoding), encoding).toBe(text.replace('hunter2', '[Filtered]'));
    }
  });

  it('are looked into where they are compressed', () => {
    const events = JSON.stringify([{ type: 3, data: { password: 'hunter2', text: 'fine' } }]);
    const payload = Buffer.concat([Buffer.from('{"segment_id":0,"token":"hunter2"}\n'), deflateSync(events)]);
    const stored = bytesOf(run('replay_recording', payload).kept?.[0]?.blob);
    const end = stored.indexOf('\n') + 1;
    expect(stored.subarray(0, end).toString()).toBe('{"segment_id":0,"token":"[Filtered]"}\n');
    expect(JSON.parse(inflateSync(stored.subarray(end)).toString())).toEqual([
      { type: 3, data: { password: '[Filtered]', text: 'fine' } },
    ]);
  });

  it('are left out where nobody can look into them, unless nothing is scrubbed', () => {
    const binary = Uint8Array.from([0x78, 0x9c, 0, 1, 2]);
    const settings = { ...context.settings, scrubData: false };
    for (const type of ['replay_recording', 'replay_video', 'profile', 'hologram']) {
      expect(run(type, binary).kept, type).toEqual([
        { row: expect.objectContaining({ payload: '', size_bytes: 5, detail: expect.stringContaining('not stored') }) },
      ]);
      expect(run(type, binary, { settings }).kept?.[0]?.blob, type).toEqual(binary);
    }
    const item = { type: 'envelope', header: { encoding: 'gzip' }, payload: new TextEncoder().encode('x') };
    const { row, blob } = keepAside(item, context, 'default', { kind: 'invalid', reason: 'x' }).kept?.[0] ?? {};
    expect([row?.payload, blob]).toEqual(['', undefined]);
  });

  it('hold no secret of a text that is large and no JSON, as far as anybody can read it', () => {
    const { row, blob } = run('event', `{"pad":"${'x'.repeat(100_000)}","password":"hunter2", nope`).kept?.[0] ?? {};
    expect(row?.reason).toBe('json');
    expect(textOf(blob)).toMatch(/x","password":"\[Filtered\]", nope$/);
  });

  it('carry the reason why they were put aside', () => {
    const item = {
      type: 'envelope',
      header: { filename: 'a\0b', api_key: 'k' },
      payload: new TextEncoder().encode('not json, password=hunter2'),
    };
    const result = keepAside(item, context, 'default', {
      kind: 'invalid',
      reason: 'decompression',
      detail: 'x'.repeat(5000),
    });
    expect(outcomesOf(result)).toEqual([['default', 'invalid:decompression', 1]]);
    expect(result.kept?.[0]?.row).toMatchObject({
      reason: 'decompression',
      detail: 'x'.repeat(1000),
      headers: '{"filename":"a\uFFFDb","api_key":"[Filtered]"}',
    });
    expect(result.kept?.[0]?.row.payload).toBe('not json, password=[Filtered]');
    expect(result.kept?.[0]?.blob).toBeUndefined();
  });
});

describe('client reports', () => {
  it('become an outcome for each entry', () => {
    const report = {
      timestamp: 1,
      discarded_events: [
        { reason: 'sample_rate', category: 'transaction', quantity: 12 },
        { reason: 'before_send', category: 'error', quantity: '3' },
        { reason: 'odd reason\n', category: null, quantity: 1 },
        { reason: 'x', category: 'y', quantity: 0 },
        'nonsense',
      ],
      rate_limited_events: [{ reason: 'quota', category: 'span', quantity: 2 }],
    };
    expect(outcomesOf(run('client_report', report))).toEqual([
      ['internal', 'accepted', 1],
      ['transaction', 'client_discard:sample_rate', 12],
      ['error', 'client_discard:before_send', 3],
      ['other', 'client_discard:other', 1],
      ['span', 'rate_limited:quota', 2],
    ]);
  });

  it('are bounded', () => {
    const many = {
      discarded_events: Array.from({ length: 1500 }, (_, index) => ({
        reason: `r${index}`,
        category: 'error',
        quantity: 1e300,
      })),
    };
    expect(run('client_report', many).outcomes.length).toBeLessThanOrEqual(201);
    const few = run('client_report', { discarded_events: [{ reason: 'r', category: 'c', quantity: 9e15 }] });
    expect(few.outcomes[1]?.quantity).toBe(1_000_000_000);
    expect(outcomesOf(run('client_report', '7'))).toEqual([['internal', 'invalid:not_an_object', 1]]);
  });
});

describe('security reports', () => {
  const csp = {
    'document-uri': 'https://shop.example.com/a?b=1',
    'effective-directive': 'img-src',
    'violated-directive': 'img-src',
    'blocked-uri': 'https://evil.example.net/x.png',
    disposition: 'enforce',
  };
  it('of CSP become events with title, grouping, tags and the names from the item header', () => {
    const result = run(
      'raw_security',
      { 'csp-report': csp },
      { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0' },
      { sentry_release: 'web@1', sentry_environment: 'lab' },
    );
    expect(outcomesOf(result)).toEqual([['security', 'accepted', 1]]);
    const [event] = result.events ?? [];
    expect(event?.seed).toMatchObject({
      title: "Blocked 'image' from 'evil.example.net'",
      culprit: 'img-src',
      type: 'csp',
      metadata: { directive: 'img-src' },
    });
    expect(event?.grouping.basis).toBe('csp');
    expect(event?.row).toMatchObject({
      release: 'web@1',
      environment: 'lab',
      user_ip: '203.0.113.9',
      tags: {
        'effective-directive': 'img-src',
        'blocked-uri': 'https://evil.example.net/x.png',
        url: 'https://shop.example.com/a',
        'browser.name': 'Firefox',
      },
    });
  });

  it('of the Reporting API come as a list', () => {
    const body = {
      documentURL: 'https://a/',
      effectiveDirective: 'script-src-elem',
      blockedURL: 'inline',
      disposition: 'report',
    };
    const result = run(
      'raw_security',
      [
        { type: 'csp-violation', url: 'https://a/', body },
        { type: 'deprecation', body: {} },
        { type: 'csp-violation', body: { ...body, blockedURL: 'eval' } },
      ],
      { envelopeEventId: 'd'.repeat(32) },
    );
    expect(outcomesOf(result)).toEqual([['security', 'accepted', 2]]);
    expect(result.events?.map(({ row }) => [row.title, row.level])).toEqual([
      ["Blocked inline 'script'", 'warning'],
      ["Blocked unsafe eval() 'script'", 'warning'],
    ]);
    const ids = result.events?.map(({ row }) => row.event_id);
    expect(ids?.[0]).toBe('d'.repeat(32));
    expect(ids?.[1]).toMatch(/^(?!d{32})[\da-f]{32}$/);
  });

  it.each([
    [
      'Expect-CT',
      { 'expect-ct-report': { hostname: 'example.com', port: 443 } },
      "Expect-CT failed for 'example.com'",
      'expect-ct',
    ],
    [
      'Expect-Staple',
      { 'expect-staple-report': { hostname: 'example.com' } },
      "Expect-Staple failed for 'example.com'",
      'expect-staple',
    ],
    [
      'HPKP',
      { hostname: 'example.com', 'known-pins': ['pin-sha256="x"'] },
      "Public key pinning validation failed for 'example.com'",
      'hpkp',
    ],
  ])('of %s', (_name, payload, title, basis) => {
    const [event] = run('security', payload).events ?? [];
    expect(event?.seed.title).toBe(title);
    expect(event?.grouping.basis).toBe(basis);
  });

  it('of no known kind are kept aside', () => {
    expect(outcomesOf(run('raw_security', { hello: 1 }))).toEqual([['security', 'invalid:security_report', 1]]);
    expect(outcomesOf(run('raw_security', '{'))).toEqual([['security', 'invalid:json', 1]]);
    expect(outcomesOf(run('raw_security', [{ type: 'csp-violation', body: 7 }, null]))).toEqual([
      ['security', 'invalid:security_report', 1],
    ]);
  });
});

it('events of reports count as reports, also when their rows are lost later', () => {
  const { events = [] } = run('security', { 'csp-report': { 'document-uri': 'https://a', 'violated-directive': 'x' } });
  expect(events.map(({ category }) => category)).toEqual(['security']);
});
