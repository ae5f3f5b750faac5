/** Every form of secret in every place of a text, and what looks like one and is none. */
import { describe, expect, it } from 'vitest';
import { Remarks } from '../remarks.ts';
import { BagCleaner } from './bag.ts';
import { scrubRules, type ScrubSettings } from './rules.ts';
import { maxSecretLength, scrubText } from './text.ts';

const settings: ScrubSettings = {
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
};
const rules = scrubRules(settings);
const scrub = (text: string): string => scrubText(text, 'message', rules);
const bag = (value: unknown): unknown =>
  new BagCleaner(rules, new Remarks()).clean(value, { maxSize: 100_000, maxDepth: 9, maxText: 20_000 });

const random = 'Zk7qWv3RtYb9LmXc2PdF';
const hex = '9f86d081884c7d659a2feaa0c55ad015';

/** By name of the form: what is sent, and the part of it that must go. */
const formats: Readonly<Record<string, readonly [sent: string, secret: string]>> = {
  JWT: [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${random}`, random],
  'AWS access key': ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7EXAMPLE'],
  'AWS session key': ['ASIAIOSFODNN7EXAMPLE', 'IOSFODNN7EXAMPLE'],
  'GitHub personal': [`ghp_${random}${random}`, random],
  'GitHub OAuth': [`gho_${random}${random}`, random],
  'GitHub user': [`ghu_${random}${random}`, random],
  'GitHub server': [`ghs_${random}${random}`, random],
  'GitHub refresh': [`ghr_${random}${random}`, random],
  'GitHub fine-grained': [`github_pat_11ABCDEFG0_${random}`, random],
  GitLab: [`glpat-${random}`, random],
  'Stripe secret': [`sk_live_${random}`, random],
  'Stripe restricted': [`rk_live_${random}`, random],
  'Stripe test': [`sk_test_${random}`, random],
  'webhook secret': [`whsec_${random}`, random],
  'Slack bot': [`xoxb-123456789012-${random}`, random],
  'Slack user': [`xoxp-123456789012-${random}`, random],
  'Slack app': [`xapp-1-A012-${random}`, random],
  'Slack webhook': [`https://hooks.slack.com/services/T00000000/B00000000/${random}`, random],
  'Discord webhook': [`https://discord.com/api/webhooks/123456789012345678/${random}`, random],
  Google: [`AIzaSyA${random}${random}`, random],
  'Google OAuth': [`ya29.a0${random}`, random],
  SendGrid: [`SG.${random}.${random}`, random],
  npm: [`npm_${random}${random}`, random],
  PyPI: [`pypi-AgEIcHlwaS5vcmc${random}`, random],
  Anthropic: [`sk-ant-api03-${random}`, random],
  'OpenAI, project': [`sk-proj-${random}`, random],
  OpenAI: [`sk-${random}${random}`, random],
  'Hugging Face': [`hf_${random}${random}`, random],
  'Sentry, Culprit': [`sntryu_${hex}${hex}`, hex],
  'Hashicorp Vault': [`hvs.${random}`, random],
  Bearer: [`Bearer ${random}`, random],
  Basic: ['Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
  'Basic, short': ['basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  'URL password': [`postgres://app:${random}@db.example/shop`, random],
};

const inPlaces: Readonly<Record<string, (sent: string) => string>> = {
  alone: (sent) => sent,
  'in a sentence': (sent) => `The call with ${sent} was refused.`,
  'in quotes': (sent) => `called with '${sent}', then left`,
  'in JSON': (sent) => JSON.stringify({ note: sent, next: 1 }),
  'in JSON within JSON': (sent) => JSON.stringify(JSON.stringify({ note: `first\n${sent}` })),
  'in a URL': (sent) => `https://shop.example/a?x=${encodeURIComponent(sent)}&y=1`,
  'as a header': (sent) => `Host: shop.example\r\nX-Thing: ${sent}\r\nAccept: */*`,
};

describe.each(Object.entries(formats))('by its form: %s', (name, [sent, secret]) => {
  // What is escaped in a URL is another form of it, but for what has no mark in it.
  const places = Object.entries(inPlaces).filter(([place]) => place !== 'in a URL' || /^[\w.-]+$/.test(sent));
  it.each(places)('%s', (_place, put) => {
    const text = put(sent);
    expect(text).toContain(secret);
    expect(scrub(text)).not.toContain(secret);
    expect(JSON.stringify(bag({ note: text }))).not.toContain(secret);
    expect(scrubText(text, 'value', rules)).not.toContain(secret);
    if (name !== 'Basic, short') expect(scrubText(text, 'id', rules)).not.toContain(secret);
  });
});

const names = [
  'password', 'Password', 'user_password', 'dbpassword', 'passwd', 'pwd', 'pass', 'passphrase', 'secret', 'client_secret',
  'clientSecret', 'token', 'access_token', 'accessToken', 'refresh_token', 'id_token', 'csrf_token', 'authToken', 'jwt', 'otp',
  'cvv', 'cvc', 'pin', 'api_key', 'apikey', 'apiKey', 'x-api-key', 'API_KEY', 'access_key', 'accessKeyId', 'AWS_SECRET_ACCESS_KEY',
  'signing_key', 'private_key', 'encryptionKey', 'connectionString', 'connection_string', 'session_id', 'sessionId', 'JSESSIONID',
  'PHPSESSID', 'connect.sid', 'laravel_session', 'ASP.NET_SessionId', '__Host-sid', '__Secure-next', 'credentials', 'auth',
  'Authorization', 'AccountKey', 'SharedAccessKey', 'mysql_pwd', 'stripetoken',
]; // prettier-ignore

const namedPlaces: Readonly<Record<string, (name: string, value: string) => string>> = {
  'name=value': (name, value) => `${name}=${value}`,
  'name = value in a sentence': (name, value) => `could not connect with ${name} = ${value} to the store`,
  'name: value': (name, value) => `refused, ${name}: ${value}`,
  'name: value in a sentence': (name, value) => `wrong ${name}: ${value} is not known`,
  quoted: (name, value) => `${name}="${value}" and more`,
  'JSON': (name, value) => JSON.stringify({ id: 1, [name]: value, next: true }),
  'JSON list': (name, value) => JSON.stringify({ id: 1, [name]: [value, value], next: true }),
  'JSON within JSON': (name, value) => JSON.stringify({ body: JSON.stringify({ [name]: value }) }),
  'Python': (name, value) => `{'id': 1, '${name}': '${value}'}`,
  'Ruby': (name, value) => `{:id=>1, "${name}"=>"${value}"}`,
  'JavaScript': (name, value) => `{ id: 1, ${name}: '${value}' }`,
  query: (name, value) => `GET https://shop.example/a?x=1&${name}=${value}&y=2 failed`,
  'first of a query': (name, value) => `https://shop.example/a?${name}=${value}#top`,
  fragment: (name, value) => `https://shop.example/a#${name}=${value}`,
  'query within a query': (name, value) => `https://shop.example/?next=${encodeURIComponent(`/a?x=1&${name}=${value}`)}&y=2`,
  form: (name, value) => `x=1&${name}=${value}`,
  'nested form': (name, value) => `user[${name}]=${value}&x=1`,
  'header line': (name, value) => `Host: shop.example\r\n${name}: ${value}\r\nAccept: */*`,
  settings: (name, value) => `Server=db;${name}=${value};Timeout=30`,
  'second line, escaped': (name, value) => String.raw`first\n${name}=${value}\nthird`,
}; // prettier-ignore

describe.each(Object.entries(namedPlaces))('by its name: %s', (_place, put) => {
  it.each(names)('%s', (name) => {
    const secret = /^(?:pin|cvv|cvc|otp)$/.test(name) ? '48213' : random;
    const text = put(name, secret);
    expect(text).toContain(secret);
    expect(scrub(text)).not.toContain(secret);
    expect(JSON.stringify(bag({ note: text }))).not.toContain(secret);
  });
});

describe('by the key of data', () => {
  it.each(names)('%s', (name) => {
    expect(bag({ a: [{ [name]: random }] })).toEqual({ a: [{ [name]: '[Filtered]' }] });
    expect(bag([[name, random]])).toEqual([[name, '[Filtered]']]);
  });
});

describe('parameters of URLs', () => {
  it.each(['sig', 'signature', 'code', 'X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token', 'X-Goog-Signature', 'AWSAccessKeyId', 'state'])('%s', (name) => {
    expect(scrub(`GET https://a.example/b?${name}=${random}&y=2`)).toBe(`GET https://a.example/b?${name}=[Filtered]&y=2`);
    expect(scrub(`https://a.example/b?y=2&${name}=${random}`)).toBe(`https://a.example/b?y=2&${name}=[Filtered]`);
    expect(rules.parameter(name, random)).toBe('sensitive');
  }); // prettier-ignore
});

describe('headers', () => {
  it.each([
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [Filtered]'],
    ['authorization: token abc123', 'authorization: token [Filtered]'],
    ['Authorization: abc123 x', 'Authorization: [Filtered] x'],
    [
      'Authorization: Digest username="ada", realm="a", response="1f2e"\nHost: a',
      'Authorization: Digest [Filtered]\nHost: a',
    ],
    ['sent Digest username="ada", response="1f2e"', 'sent Digest [Filtered]'],
    [
      'Authorization: AWS4-HMAC-SHA256 Credential=AKIA/x, Signature=abc\nHost: a',
      'Authorization: AWS4-HMAC-SHA256 [Filtered]\nHost: a',
    ],
    ['Set-Cookie: a=b; Path=/; HttpOnly\r\nAccept: x', 'Set-Cookie: [Filtered]\r\nAccept: x'],
    ['{"set-cookie":["a=b; Path=/","c=d"],"x":1}', '{"set-cookie":["[Filtered]"],"x":1}'],
    ['Cookie: connect.sid=s%3Aabc; theme=dark\nHost: a', 'Cookie: connect.sid=[Filtered]; theme=dark\nHost: a'],
    [`'HTTP_COOKIE' => 'sid=abc; theme=dark'`, `'HTTP_COOKIE' => 'sid=[Filtered]; theme=dark'`],
    ['headers: {Authorization: "Bearer ${env:KEY}"}', 'headers: {Authorization: "Bearer ${env:KEY}"}'],
    ['{"Authorization":"Bearer abc123"}', '{"Authorization":"Bearer [Filtered]"}'],
    ['{"cookie":"sid=abc; theme=dark"}', '{"cookie":"sid=[Filtered]; theme=dark"}'],
  ])('%s', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it('cookies by their names, wherever they are', () => {
    for (const name of [
      'connect.sid',
      'JSESSIONID',
      'laravel_session',
      'ASP.NET_SessionId',
      '__Host-sid',
      '__Secure-x',
      'remember_me',
      'remember_token',
      'XSRF-TOKEN',
      'session',
      'sid',
      '_shop_session',
      'sessionid',
      'PHPSESSID',
      '_csrf',
      'next-auth.session-token',
      '.AspNetCore.Session',
      'remember_web_59ba36',
    ])
      // prettier-ignore
      expect([name, rules.cookie(name)]).toEqual([name, 'sensitive']);
    for (const name of ['theme', 'lang', '_ga', 'cookie_consent', 'cookie_policy', 'tz', 'cart', 'visits', 'basket'])
      expect([name, rules.cookie(name)]).toEqual([name, 'plain']);
    expect(
      bag({ headers: { Cookie: 'sid=abc; theme=dark', 'Set-Cookie': 'a=b' }, cookies: { sid: 'abc', theme: 'dark' } }),
    ).toEqual({
      headers: { Cookie: 'sid=[Filtered]; theme=dark', 'Set-Cookie': '[Filtered]' },
      cookies: { sid: '[Filtered]', theme: 'dark' },
    });
    expect(bag({ env: { HTTP_COOKIE: 'sid=abc; theme=dark', HTTP_SET_COOKIE: 'a=b' } })).toEqual({
      env: { HTTP_COOKIE: 'sid=[Filtered]; theme=dark', HTTP_SET_COOKIE: '[Filtered]' },
    }); // prettier-ignore
  });
});

it('keys between their lines', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,1F\n\n${random}\n-----END RSA PRIVATE KEY-----`;
  expect(scrub(`see ${key}.`)).toBe('see -----BEGIN RSA PRIVATE KEY-----\n[Filtered]\n-----END RSA PRIVATE KEY-----.');
  expect(JSON.parse(scrub(JSON.stringify({ note: key })))).toEqual({
    note: '-----BEGIN RSA PRIVATE KEY-----\n[Filtered]\n-----END RSA PRIVATE KEY-----',
  });
  expect(scrub(`-----BEGIN OPENSSH PRIVATE KEY-----\n${random}`)).not.toContain(random);
  expect(scrub(`-----BEGIN PGP PRIVATE KEY BLOCK-----\n${random}\n-----END`)).not.toContain(random);
});

const harmless = [
  'tokenize', 'tokenizer failed', 'Unexpected token < in JSON at position 0', `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
  'Invalid token: expected }', 'Unexpected token: punc (})', 'Unexpected token: name (foo)', "Unexpected token: 'export'", 'Unexpected token: }',
  'Invalid token: unexpected', 'SyntaxError: Unexpected token: string "a", expected ","', 'Token: expired', 'token: 42', 'jwt expired',
  'JsonWebTokenError: jwt malformed', 'jwt: malformed', 'password must be at least 8 characters', 'invalid password', 'Password: required',
  'Invalid password: must contain a digit', 'wrong password: attempt 3 of 5', '{"password":"Password must be longer than 8"}',
  "code: 'ENOENT'", 'code=500', 'error code: 42', '{"code":"ENOENT"}', 'GET https://a.example/b?code=404', '?code=ENOENT', '?state=open&page=2',
  'connect ECONNREFUSED auth-service:3000', 'auth:8080 refused', 'auth: login failed for bob', 'Authorization: required', 'Authorization: failed',
  'Basic authentication failed', 'Basic JavaScript knowledge', 'basic information', 'Bearer token is missing', 'Bearer authentication required',
  'WWW-Authenticate: Bearer realm="api"', 'author: Ada', 'author=Ada', '{"author":"Ada"}', 'authority=a.example', ':authority: a.example',
  'tokenizer=bert', 'max_tokens=500', 'max_tokens: 500', '"maxTokens":500', 'passenger=Ada', 'compass=north', 'bypass=yes please', 'pinned=7 items',
  'mapping=wide', 'spinner: large', 'cookie_policy=strict', 'token_type=access', '"expires_in":3600', 'token_type: bearer', 'password_policy: strict',
  'session.id=abcdef0123456789', 'PWD=/srv/app', 'OLDPWD=/srv', 'password=%s', 'password=?', 'password=$1', 'password=${DB_PASSWORD}', 'password=***',
  'password=[Filtered]', 'password=null', 'password: undefined', 'password: string', 'token = await getToken()', 'password=req.body.password',
  'secret: process.env.SECRET', 'password == other', 'if (password === input)', 'auth::Token::validate', 'Auth::login', 'const f = (token) => { run() }',
  `auth=<django.contrib.auth.models.UserManager object at 0x7f3a2c1d5e80>`, 'commit 3b1e5f0a9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f', '550e8400-e29b-41d4-a716-446655440000',
  'e87fbb2fbb0c4a5d9c1f2e3d4c5b6a79', '.css-1x2y3z4a5b6c7d8e', 'styles_button__a1B2c3D4', 'sk-loading-indicator-and-something-else', 'npm_config_cache_directory_of_the_user_set',
  'data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXX0=', 'sha512-Zk7qWv3RtYb9LmXc2PdFZk7qWv3RtYb9LmXc2PdF==', 'webpack:///./src/token.js', '/auth/token?page=2',
  'https://a.example/auth/login', 'https://token:8080/x', 'chunk-4F2A1B.js:12:5', 'app:///secret/page.js:1:2', 'TypeError: token is not a function', 'Missing required parameter: code',
  'compass: 12', 'at Authenticator.check (auth.js:12:5)', 'node:internal/crypto', 'the secretary: Ada', 'keyboard_key: Enter', 'sort_key: name', 'primary_key: id', 'public_key: none',
  'state: open', '"token":"is not valid any more"', 'signature: none', 'sig: 11', 'the password reset e-mail was sent', 'Password reset for user 12', 'xoxo', 'SG.', 'hf_', 'skeleton', 'pins: 3', 'session: 12', 'sessions=3',
]; // prettier-ignore

describe('what is no secret stays', () => {
  it.each(harmless)('%s', (text) => {
    expect(scrub(text)).toBe(text);
    expect(scrub(`it said ${text}`)).toBe(`it said ${text}`);
    expect(bag({ note: text })).toEqual({ note: text });
  });

  it.each([
    'author', 'authors', 'authorName', 'co_author', 'authority', ':authority', 'tokenizer', 'tokenize', 'max_tokens', 'maxTokens', 'input_tokens', 'gen_ai.usage.output_tokens',
    'passenger', 'compass', 'bypass', 'pinned', 'mapping', 'spinner', 'cookie_policy', 'pinning', 'typing', 'code', 'signature', 'state', 'key', 'sort_key', 'primary_key', 'public_key',
    'keyboard_key', 'secretary', 'passed', 'first_pass', 'pass_count', 'token_type', 'password_policy', 'token_expires_at', 'auth_method', 'auth_provider', 'unauthorized',
    'session', 'session.id', 'sessions', 'session_count', 'side', 'inside', 'opinion', 'shopping', 'cvvalue', 'jwts_seen',
  ])('key %s', (name) => {
    expect(bag({ [name]: 'strict' })).toEqual({ [name]: 'strict' });
    expect(rules.key(name)).toBe('plain');
  }); // prettier-ignore

  it.each([
    ['auth', '<django.contrib.auth.models.UserManager object at 0x7f3a2c1d5e80>'],
    ['token', "<class 'rest_framework.authtoken.models.Token'>"],
    ['token', '<function make_token at 0x7f3a2c1d5e80>'],
    ['get_token', '<bound method Shop.get_token of <shop.Shop object at 0x7f3a2c1d5e80>>'],
    ['secrets', "<module 'secrets' from '/usr/lib/python3.12/secrets.py'>"],
    ['auth', '[object Object]'],
    ['auth', '[Function: auth]'],
    ['authManager', 'com.example.auth.AuthManager@1a2b3c4d'],
    ['token', '0xc000123456'],
    ['password', ''],
    ['password', 'null'],
    ['password', 'None'],
    ['authenticated', 'true'],
    ['PWD', '/srv/app'],
    ['tokens', 1523],
    ['pass', 12],
    ['authenticated', true],
    ['pin', { lat: 1, lng: 2 }],
    ['sample_rand', '0.4641848057288511'],
    ['id', '6bff78543f4641848057288518e5b919'],
  ])('value of %s: %s', (name, value) => {
    expect(bag({ [name]: value })).toEqual({ [name]: value });
  });

  it.each([
    ['token', '<Token: Zk7qWv3R>'],
    ['password', 'pass@123'],
    ['auth', 'Zk7qWv3R'],
    ['pin', '4821'],
  ])('but %s: %s goes', (name, value) => {
    expect(bag({ [name]: value })).toEqual({ [name]: '[Filtered]' });
  });
});

describe('the project decides', () => {
  it('by fields of its own, in texts too', () => {
    const own = scrubRules({ ...settings, scrubDefaults: false, sensitiveFields: ['iban_of'] });
    expect(scrubText('iban_of=abc password=abc', 'message', own)).toBe('iban_of=[Filtered] password=abc');
    const safe = scrubRules({ ...settings, safeFields: ['page_token'] });
    expect(scrubText('?page_token=abc1&token=abc1', 'message', safe)).toBe('?page_token=abc1&token=[Filtered]');
    const off = scrubRules({ ...settings, scrubData: false, sensitiveFields: ['a_field'] });
    expect(scrubText('a_field=1 password=abc Bearer abcdefgh', 'message', off)).toBe(
      'a_field=1 password=abc Bearer abcdefgh',
    );
  });
});

describe('source code', () => {
  it.each([
    ['const token = getToken(request);', 'const token = getToken(request);'],
    ['const password = other.value', 'const password = other.value'],
    ["const password = 'hunter2';", "const password = '[Filtered]';"],
    ['fetch("https://a.example/?token=abc1")', 'fetch("https://a.example/?token=[Filtered]")'],
    ['password: string;', 'password: string;'],
  ])('%s', (line, expected) => {
    expect(scrubText(line, 'code', rules)).toBe(expected);
  });
});

it('passphrases are no sentences', () => {
  expect(scrub('{"password":"correct horse battery staple"}')).toBe('{"password":"[Filtered]"}');
  expect(scrub('password=aB.is.C3')).toBe('password=[Filtered]');
});

it('what is hidden is hidden once', () => {
  for (const put of Object.values(namedPlaces)) {
    const once = scrub(put('password', random));
    expect(scrub(once)).toBe(once);
  }
  for (const [sent] of Object.values(formats)) expect(scrub(scrub(sent))).toBe(scrub(sent));
});

describe('a megabyte of each hostile text takes linear time', () => {
  const seeds = [
    '4', '4 ', '123-', 'a@', 'bearer ', 'Basic ', 'digest ', 'digest username=', '/home/', 'http://a:', '://', '-----BEGIN A KEY-----', '-----BEGIN ', '-', 'DE12', 'password=', 'password="', "password='\\'",
    'password: ', 'password:', 'token: a ', 'token:["a"', '=', ':', '==', ':::', '%3D', '%', '\\', '\\\\"', 'eyJ', 'eyJaaaaaaaaa', 'eyJaaaaaa.', 'eyJaaaaaaa.aaaaaaaa', 'AKIA', 'ghp_', 'SG.', 'SG.aaaaaaaaaaa', 'xox', 'sk-', 'sk-a',
    'pypi-', '?code=', '?state=', '&sig=', '?abc=', 'cookie:', 'cookie: a=', 'Cookie: a=b; ', 'set-cookie: ', 'set-cookie:[', 'authorization: digest a=', 'authorization: bearer ', 'hooks.slack.com/', 'https://hooks', 'discord',
    'a_', 'aA', 'a.', '_sess', 'tokens_', 'sess_', 'max_tokens_', 'auth', 'key ', 'api key', '"password":{', 'password={', '<a.', 'password=<', '1.', 'ab:', '::', '\n', 'é=', '[[', "b'", 'password=a(', 'authauth=', 'x=1;', 'abc=1&', '%5D=', '%253D',
    'into t (password) values (', 'into t (a, ', 'into t (a, password) values (?), ', "token in ('a', ", "token not ", "password '", 'identified by ', 'failing row contains (1, ',
    'key (token)=(', "token<>'", 'into t (password) values ((((', "token like '", "into \\\"t\\\" (",
  ]; // prettier-ignore
  // Ten times as long takes ten times as much; quadratic time would be minutes. The bound leaves room for a busy machine.
  it.each(seeds)('%s', (seed) => {
    const make = (length: number): string => seed.repeat(Math.ceil(length / seed.length));
    const started = performance.now();
    scrubText(make(1_000_000), 'message', rules);
    for (const kind of ['bag', 'code'] as const) scrubText(make(100_000), kind, rules);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

it('secrets up to the stated length are found whole', () => {
  const long = random.repeat(900).slice(0, maxSecretLength - 100);
  expect(scrub(`password="${long}" end`)).toBe('password="[Filtered]" end');
  expect(scrub(`Bearer ${long} end`)).toBe('Bearer [Filtered] end');
  expect(scrub(`-----BEGIN RSA PRIVATE KEY-----\n${long}-----END`)).not.toContain(random);
});
