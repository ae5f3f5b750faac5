import { describe, expect, it } from 'vitest';
import { defaultProjectSettings } from '../../types.ts';
import type { Frame } from '../event.ts';
import { makeEvent } from '../make-event.ts';
import { Remarks } from '../remarks.ts';
import { scrubField } from './fields.ts';
import { scrubEvent, scrubMapped } from './index.ts';
import { scrubRules } from './rules.ts';

const rules = scrubRules(defaultProjectSettings);

describe('scrubField', () => {
  it.each([
    ['const token = await getToken();', 'const token = await getToken();'],
    ['  token: string;', '  token: string;'],
    ['signIn(password=password, token=tokens[0])', 'signIn(password=password, token=tokens[0])'],
    ["const password = 'correct horse';", "const password = '[Filtered]';"],
    [
      'get("https://api.example/a?x=1&access_token=abcdef")',
      'get("https://api.example/a?x=1&access_token=[Filtered]")',
    ],
    ['PASSWORD=hunter22', 'PASSWORD=[Filtered]'],
    ['raise Error("no: password=hunter2, card")', 'raise Error("no: password=[Filtered], card")'],
    [String.raw`say('it\'s token=abcdef')`, String.raw`say('it\'s token=[Filtered]')`],
    ['log(f"password={password}, token=%s" % token)', 'log(f"password={password}, token=%s" % token)'],
    ['open("a", token=token, mode="r")', 'open("a", token=token, mode="r")'],
    ["# don't pass token=token here", "# don't pass token=token here"],
  ])('in a line of source: %s', (text, expected) => {
    expect(scrubField(text, 'code', rules)).toBe(expected);
  });

  it.each([
    ['4111111111111111', '4111111111111111'],
    ['shop@1.0+4111111111111111', 'shop@1.0+4111111111111111'],
    ['paid with 4111111111111111', 'paid with [Filtered]'],
    ['/srv/auth/token.js', '/srv/auth/token.js'],
    ['ada@example.com', 'ada@example.com'],
    ['app?password=hunter2', 'app?password=[Filtered]'],
  ])('in an id: %s', (text, expected) => {
    expect(scrubField(text, 'id', rules)).toBe(expected);
  });
});

describe('scrubEvent', () => {
  it('takes out of names, paths and ids what is a secret by itself', () => {
    const remarks = new Remarks();
    const secret = '?password=hunter2';
    const event = makeEvent(
      {
        exception: [
          {
            type: `E${secret}`,
            stacktrace: {
              frames: [{ filename: `/a.js${secret}`, function: `f${secret}`, pre_context: [`// ${secret}`] }],
            },
          },
        ],
        transaction: `/a${secret}`,
        fingerprint: ['{{ default }}', secret],
        csp: { document_uri: `https://a.example/${secret}`, 'blocked-uri': secret, hashes: [secret] },
        tags: { place: secret },
        threads: [{ name: secret }],
        sdk: { name: secret, packages: [{ name: secret }] },
        modules: { pg: secret },
        debug_meta: { images: [{ code_file: secret }] },
        user: { id: secret },
        contexts: { trace: { description: secret } },
        release: 'a/'.concat(secret),
        server_name: secret,
      },
      {},
      remarks,
    );
    scrubEvent(event, defaultProjectSettings, remarks);
    const text = JSON.stringify([event, remarks.errors]);
    expect(text).not.toContain('hunter2');
    expect(text.match(/password=\[Filtered\]/g)).toHaveLength(20);
  });
});

it('a logger is cut where it is dotted, once no secret is left in it', () => {
  const remarks = new Remarks();
  const loggerOf = (logger: string): string | undefined => {
    const event = makeEvent({ logger }, {}, remarks);
    scrubEvent(event, defaultProjectSettings, remarks);
    return event.logger;
  };
  expect(loggerOf(`com.example.${'long.'.repeat(20)}Name`)).toMatch(/^\*.*Name$/);
  expect(loggerOf(`eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxIn0'.repeat(5)}.hunter2`)).toBe('[Filtered]');
});

it('mapped frames are looked at again', () => {
  const line = "const password = 'hunter2';";
  const frames: Frame[] = [{ context_line: line, data: { raw: {} } }, { context_line: line }];
  scrubMapped(frames, defaultProjectSettings);
  expect(frames.map((frame) => frame.context_line)).toEqual(["const password = '[Filtered]';", line]);
});
