import { describe, expect, it, test } from 'vitest';
import { makeEvent } from '../../make-event.ts';
import { Remarks } from '../../remarks.ts';
import { scrubEvent } from '../index.ts';
import { builtIns } from './builtin.ts';
import { loadPatterns, readOwnRules } from './index.ts';

await loadPatterns();

const off = { storeIpAddresses: true, scrubData: false, scrubDefaults: false, sensitiveFields: [], safeFields: [] };

interface Config {
  readonly rules?: Record<string, unknown>;
  readonly applications: Record<string, readonly string[]>;
  readonly vars?: { readonly hashKey?: string };
}

function scrub(config: Config, input: unknown) {
  const scrubRules = JSON.stringify(config);
  expect(readOwnRules(scrubRules, { prefix: 'project', hashKey: 'key' }).problems).toEqual([]);
  const remarks = new Remarks();
  const event = makeEvent(input, {}, remarks);
  scrubEvent(event, { ...off, scrubRules, pseudonymKey: 'key' }, remarks);
  return { event: JSON.parse(JSON.stringify(event)) as Record<string, never>, meta: remarks.meta() };
}

const problemsOf = (text: string) =>
  readOwnRules(text, { prefix: 'project', hashKey: '' }).problems.map(
    ({ line, column, endColumn, message }) => `${line}:${column}-${endColumn} ${message}`,
  );

const extra = (applications: Config['applications'], value: unknown, rules?: Config['rules']) =>
  (scrub({ applications, ...(rules && { rules }) }, { extra: { value } }).event as { extra?: { value?: unknown } })
    .extra?.value;

describe('what built-in rules find', () => {
  it.each([
    ['@ip', 'from 10.0.0.1 to 2001:db8::1, v1.2.3.4.5', 'from [ip] to [ip], v1.2.3.4.5'],
    ['@ip:hash', '10.0.0.1', /^[\dA-F]{40}$/],
    ['@email', 'mail a.b+c@example.com!', 'mail [email]!'],
    ['@email:mask', 'to jo@ex.com', 'to *********'],
    ['@creditcard', 'card 4571 2345 6789 0111.', 'card [creditcard].'],
    ['@iban', 'to DE89370400440532013000', 'to [iban]'],
    ['@imei', 'imei 35-209900-176148-1', 'imei [imei]'],
    ['@mac', 'at 4a:00:04:10:9b:50', 'at *****************'],
    ['@uuid', 'id 8a51e4b2-1a0e-4c3b-9c3b-0a1b2c3d4e5f', `id ${'*'.repeat(36)}`],
    [
      '@pemkey',
      '-----BEGIN RSA PRIVATE KEY-----\nAAA\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----\n[pemkey]\n-----END RSA PRIVATE KEY-----',
    ],
    ['@urlauth', 'postgres://joe:secret@db/x', 'postgres://[auth]@db/x'],
    ['@urlauth:legacy', 'postgres://joe:secret@db/x', 'postgres://joe:[Filtered]@db/x'],
    ['@usssn', 'is 078-05-1120', 'is ***********'],
    ['@userpath', '/home/joe/a.js and C:\\Users\\joe\\a.js', '/home/[user]/a.js and C:\\Users\\[user]\\a.js'],
    ['@bearer', 'Bearer abc.def', '[token]'],
    ['@password', 'password=hunter2!a', 'password='],
    ['@password:filter', '{"api_key":"k1"} and a', '{"api_key":"[Filtered]"} and a'],
    ['@anything', 'whatever', '[Filtered]'],
    ['@anything:mask', 'über', '****'],
    ['@anything:remove', 'whatever', null],
    ['@common', 'a@b.de on 10.0.0.1', '[email] on [ip]'],
    ['@common:filter', '4571234567890111', '[Filtered]'],
  ] as const)('%s: %s', (rule, sent, expected) => {
    const found = extra({ $string: [rule] }, sent);
    if (expected instanceof RegExp) expect(found).toMatch(expected);
    else expect(found).toBe(expected);
  });

  it('each has a name for each method', () => {
    for (const name of [
      'ip',
      'email',
      'creditcard',
      'iban',
      'imei',
      'mac',
      'uuid',
      'pemkey',
      'usssn',
      'userpath',
      'password',
      'anything',
    ])
      for (const method of ['', ':remove', ':replace', ':mask', ':hash', ':filter'])
        expect(builtIns.has(`@${name}${method}`)).toBe(true);
  });
});

describe('rules of ones own', () => {
  it('replaces groups', () => {
    const rules = {
      r: {
        type: 'pattern',
        pattern: 'order (\\d+) of (\\w+)',
        replaceGroups: [1, 2],
        redaction: { method: 'replace', text: '#' },
      },
    };
    expect(extra({ $string: ['r'] }, 'order 12 of joe, order 3 of ann', rules)).toBe('order # of #, order # of #');
  });

  it('removes what it finds unless told otherwise', () => {
    expect(extra({ $string: ['r'] }, 'a-secret-b', { r: { type: 'pattern', pattern: '-secret-' } })).toBe('ab');
  });

  it('goes by keys of pairs and objects', () => {
    const { event, meta } = scrub(
      { rules: { k: { type: 'redact_pair', keyPattern: '(?i)customer' } }, applications: { '$object.**': ['k'] } },
      {
        extra: {
          customerId: 'x',
          deep: { Customer: { a: 1 }, other: 'b' },
          list: [['customer', 'y']],
          note: 'customer=1',
        },
      },
    );
    expect(event).toMatchObject({
      extra: { customerId: null, deep: { Customer: null, other: 'b' }, list: [['customer', '']], note: '' },
    });
    expect(meta).toMatchObject({ extra: { customerId: { '': { rem: [['project:k', 'x']], len: 1 } } } });
  });

  it('names the rule that leads to others, where that is wished', () => {
    const rules = {
      shown: { type: 'multiple', rules: ['@ip', '@email'] },
      hidden: { type: 'multiple', rules: ['@ip', '@email'], hideInner: true, redaction: { method: 'mask' } },
      other: { type: 'alias', rule: 'hidden' },
    };
    const config = (rule: string) => ({ rules, applications: { 'extra.value': [rule] } });
    const shown = scrub(config('shown'), { extra: { value: '1.2.3.4' } });
    expect(shown.event).toMatchObject({ extra: { value: '[ip]' } });
    expect(shown.meta).toMatchObject({ extra: { value: { '': { rem: [['@ip', 's']], len: 7 } } } });
    const hidden = scrub(config('other'), { extra: { value: '1.2.3.4' } });
    expect(hidden.event).toMatchObject({ extra: { value: '*******' } });
    expect(hidden.meta).toMatchObject({ extra: { value: { '': { rem: [['project:hidden', 'm']], len: 7 } } } });
  });

  it('hashes by the key that is nearest', () => {
    const hash = (config: Omit<Config, 'applications'> & { rule: string }) =>
      scrub(
        { rules: config.rules ?? {}, vars: config.vars ?? {}, applications: { 'user.id': [config.rule] } },
        { user: { id: 'joe' } },
      ).event;
    const own = { h: { type: 'anything', redaction: { method: 'hash', key: 'a' } } };
    const all = [
      hash({ rule: '@anything:hash' }),
      hash({ rule: '@anything:hash', vars: { hashKey: 'b' } }),
      hash({ rule: 'h', rules: own }),
    ];
    expect(new Set(all.map((event) => JSON.stringify(event))).size).toBe(3);
    expect(hash({ rule: 'h', rules: own, vars: { hashKey: 'b' } })).toMatchObject((all[2] as object) ?? {});
  });

  it('does not look at what has given way', () => {
    const rules = {
      a: { type: 'pattern', pattern: 'x', redaction: { method: 'replace', text: 'secret' } },
      b: { type: 'pattern', pattern: 'secret', redaction: { method: 'replace', text: '!' } },
    };
    expect(extra({ $string: ['a', 'b'] }, 'x and secret', rules)).toBe('secret and !');
  });

  it('takes numbers of the client for text', () => {
    expect(extra({ '$object.**': ['@creditcard'] }, 4571234567890111)).toBe('[creditcard]');
    expect(extra({ '$object.**': ['@creditcard'] }, 12)).toBe(12);
  });
});

describe('selectors', () => {
  const event = {
    user: { id: 'joe', email: 'e' },
    request: { headers: { Cookie: 'a=1', 'X-Note': 'n' }, data: { a: { b: 'body' } } },
    exception: {
      values: [{ type: 'T', value: 'v', stacktrace: { frames: [{ filename: 'f.js', vars: { x: 'local' } }] } }],
    },
    extra: { 'odd key': 'o', 'it’s': 'q', x: 'ex', list: ['l0', 'l1'] },
    logentry: { formatted: 'message' },
    breadcrumbs: { values: [{ message: 'crumb', data: { url: 'u' } }] },
    release: 'r1',
    transaction: 't1',
    tags: { place: 'tag' },
  };
  /** The texts that it chooses. */
  function chosen(selector: string): string[] {
    const rules = { r: { type: 'pattern', pattern: '(?s).+', redaction: { method: 'replace', text: '~$&~' } } };
    const { event: after } = scrub({ rules, applications: { [selector]: ['r'] } }, event);
    const texts: string[] = [];
    const walk = (before: unknown, now: unknown): void => {
      if (now === '~$&~') texts.push(String(before));
      else if (typeof before === 'object' && before !== null)
        for (const key in before) walk((before as never)[key], (now as never)?.[key]);
    };
    walk(JSON.parse(JSON.stringify(makeEvent(event))), after);
    return texts.sort();
  }

  it.each([
    ['user.email', ['e']],
    ['$user.email', ['e']],
    ['$user.*', ['e', 'joe']],
    ['USER.EMAIL', ['e']],
    ["extra.'odd key'", ['o']],
    ['extra.list.1', ['l1']],
    ['extra.list.*', ['l0', 'l1']],
    ['$message', ['message']],
    ['$message.*', ['message']],
    ['$exception.value', ['v']],
    ['$frame.vars.x', ['local']],
    ['$frame.vars.**', ['local']],
    ['$request.**', ['1', 'body', 'n']],
    ["$http.headers.'x-note'", ['n']],
    ['request.data.**.b', ['body']],
    ['$breadcrumb.data.url', ['u']],
    ['tags.place', ['tag']],
    ['release', ['r1']],
    ['$event.transaction', ['t1']],
    ['user.id || user.email', ['e', 'joe']],
    ['$user.* && !user.id', ['e']],
    ['($user.* || extra.x) && !(user.id | user.email)', ['ex']],
    ['$string && $user.*', ['e', 'joe']],
    ['extra.** & ~extra.list.**', ['ex', 'o', 'q']],
    ['databag', []],
  ])('%s', (selector, texts) => {
    expect(chosen(selector)).toEqual(texts);
  });

  it('leaves names of programs and paths to selectors that name them', () => {
    for (const selector of ['$string', '**', '!extra.x', 'freeform']) {
      expect(chosen(selector)).toContain('message');
      expect(chosen(selector)).not.toContain('r1');
      expect(chosen(selector)).not.toContain('f.js');
    }
    expect(chosen('$string && !extra.x')).not.toContain('ex');
    expect(chosen('$frame.filename')).toEqual(['f.js']);
  });

  it('finds cookies under the header that they came in', () => {
    const gone = scrub({ applications: { '$http.headers.cookie': ['@anything:remove'] } }, event);
    expect(gone.event).toMatchObject({ request: { headers: [['X-Note', 'n']] } });
    expect(gone.event).toMatchObject({ request: { cookies: [] } });
    expect(gone.meta).toEqual({ request: { cookies: { '': { rem: [['@anything:remove', 'x']] } } } });
  });

  it('removes containers whole, and never what an event is told by', () => {
    const all = scrub({ applications: { '** || $event': ['@anything:remove'] } }, event).event;
    expect(all).toMatchObject({ event_id: 'a'.repeat(32), platform: 'other', release: 'r1', transaction: 't1' });
    for (const text of ['joe', 'body', 'local', 'message', 'crumb'])
      expect(JSON.stringify(all)).not.toContain(`"${text}"`);
  });
});

describe('users', () => {
  const pseudonymous = (user: unknown) => {
    const remarks = new Remarks();
    const event = makeEvent({ user }, {}, remarks);
    scrubEvent(event, { ...off, pseudonymizeUsers: true, pseudonymKey: 'key' }, remarks);
    return { user: event.user, meta: remarks.meta() };
  };

  it('are the same pseudonym each time, and nobody without the key', () => {
    const { user, meta } = pseudonymous({
      id: 7,
      email: 'a@b.de',
      name: 'Ann',
      ip_address: '1.2.3.4',
      plan: 'pro',
      geo: { city: 'X' },
    });
    expect(user).toEqual({
      id: expect.stringMatching(/^[\dA-F]{40}$/),
      email: expect.stringMatching(/^[\dA-F]{40}$/),
      geo: { city: 'X' },
    });
    expect(pseudonymous({ id: '7' }).user?.id).toBe(user?.id);
    expect(pseudonymous({ id: '8' }).user?.id).not.toBe(user?.id);
    expect(meta).toMatchObject({
      user: { id: { '': { rem: [['@user:hash', 'p']] } }, name: { '': { rem: [['@user:hash', 'x']] } } },
    });
  });

  it('are the same however their mail is written', () => {
    const one = pseudonymous({ email: 'a@b.de', id: 'a@b.de', username: 'Ann' }).user;
    expect(pseudonymous({ email: ' A@B.de\n', id: 'A@b.DE', username: ' Ann ' }).user).toEqual(one);
    expect(pseudonymous({ username: 'ann' }).user?.username).not.toBe(one?.username);
  });

  it('are told apart by their address where there is nothing else', () => {
    expect(pseudonymous({ ip_address: '1.2.3.4' }).user).toEqual({ id: expect.stringMatching(/^[\dA-F]{40}$/) });
  });

  it('keep a pseudonym that a rule made of their address', () => {
    const { event } = scrub({ applications: { 'user.ip_address': ['@ip:hash'] } }, { user: { ip_address: '1.2.3.4' } });
    expect(event).toMatchObject({ user: { id: expect.stringMatching(/^[\dA-F]{40}$/) } });
    const masked = scrub({ applications: { 'user.ip_address': ['@ip:mask'] } }, { user: { ip_address: '1.2.3.4' } });
    expect(masked.event).toMatchObject({ user: {} });
  });
});

describe('problems say where and what to do', () => {
  it.each([
    ['{"rules": {"a": {"type": "patern", "pattern": "x"}}}', /^1:26-34 unknown type "patern"/],
    ['{\n  "applications": {"$strin": ["@ip"]}\n}', /^2:21-27 unknown type \$strin/],
    ['{"applications": {"$string": ["@emial"]}}', /^1:31-39 no rule is named "@emial"/],
    ['{"applications": {"$string": ["@Email"]}}', /Did you mean "@email"\?$/],
    ['{"applications": {"$string": "@ip"}}', /^1:30-35 "\$string" is a list of names/],
    ['{"applications": {"a.**.b.**": ["@ip"]}}', /^1:27-29 \*\* can be in a path once/],
    ['{"applications": {"(a": ["@ip"]}}', /^1:20-21 there is no \) for this \(/],
    ['{"applications": {"a)": ["@ip"]}}', /^1:21-22 there is no \( for this \)/],
    ['{"applications": {"": ["@ip"]}}', /the selector ends too early/],
    ['{"applications": {"*": ["@ip"]}}', /\* alone is no path/],
    ['{"rules": {"a": {"type": "pattern", "pattern": "a(?=b)"}}}', /^1:50-\d+ looking ahead or behind/],
    ['{"rules": {"a": {"type": "pattern", "pattern": "(a)\\\\1"}}}', /references such as/],
    [
      '{"rules": {"a": {"type": "pattern", "pattern": "(a", "replaceGroups": [1]}}}',
      /the expression is invalid: missing closing \)/,
    ],
    ['{"rules": {"a": {"type": "pattern", "pattern": "a{1001}"}}}', /repeats too much/],
    [
      '{"rules": {"a": {"type": "pattern", "pattern": "(a)", "replaceGroups": [2]}}}',
      /there is no group 2: the expression has 1/,
    ],
    ['{"rules": {"a": {"type": "pattern"}}}', /a rule of type "pattern" needs "pattern"/],
    ['{"rules": {"a": {"type": "ip", "redaction": {"method": "blur"}}}}', /unknown method "blur"/],
    ['{"rules": {"a": {"type": "alias", "rule": "a"}}, "applications": {"**": ["a"]}}', /"a" leads back to itself/],
    ['{"rules": {"@a": {"type": "ip"}}}', /names that begin with @/],
    ['{"rule": {}}', /^1:2-8 unknown name "rule"/],
    ['{"rules": {"a": 1, "a": 2}}', /"a" is here twice/],
    ["{'rules': {}}", /expected a name in double quotes/],
    ['{"rules": {},}', /^1:14-15 expected a name in double quotes, or } without a comma/],
    ['[]', /^1:1-3 expected an object/],
    ['{"rules": {}', /ends too early|comma, or the closing bracket/],
  ])('%s', (text, expected) => {
    expect(problemsOf(text).join('\n')).toMatch(expected);
  });

  test('all at once, in the order of the text', () => {
    const text = JSON.stringify(
      { rules: { a: { type: 'x' }, b: { type: 'pattern', pattern: '(' } }, applications: { $a: ['c'] } },
      null,
      2,
    );
    expect(problemsOf(text)).toHaveLength(4);
  });

  test('what is wrong is left out, and the rest holds', () => {
    const text =
      '{"rules": {"bad": {"type": "pattern", "pattern": "("}}, "applications": {"$string": ["bad", "@ip"], "$bad": ["@ip"]}}';
    const { rules, problems } = readOwnRules(text, { prefix: 'project', hashKey: '' });
    expect(problems).toHaveLength(2);
    expect(rules.applications.map((one) => one.rules.map(({ id }) => id))).toEqual([['@ip']]);
  });
});

test('identity numbers are found in the countries that a rule names', () => {
  const rules = { id: { type: 'identity_number', countries: ['DE', 'es'], redaction: { method: 'mask' } } };
  expect(extra({ $string: ['id'] }, 'ids 86095742719 and 12345678Z, not 86095742718', rules)).toBe(
    'ids *********** and *********, not 86095742718',
  );
  expect(problemsOf('{"rules": {"a": {"type": "identity_number", "countries": ["zz"]}}}')).toEqual([
    expect.stringMatching(/^1:59-63 "countries" is a list of "au"/),
  ]);
});
