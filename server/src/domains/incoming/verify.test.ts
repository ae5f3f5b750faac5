/** Signatures as the providers' documents say that they make them. */
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { IncomingProvider } from './types.ts';
import { signedHeaders } from '../../base/outbound/index.ts';
import { signatureProblem } from './verify.ts';
import { ruleProblem, versionOf } from './version.ts';

const body = Buffer.from('{"a":"ä"}');
const now = Date.UTC(2026, 10, 21, 9);
const secret = "It's a Secret to Everybody";

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jws = (claims: object, head: object = { alg: 'HS256', typ: 'JWT' }, key = secret): string => {
  const signed = `${part(head)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};
const sha256 = createHash('sha256').update(body).digest('hex');
const hex = (algorithm: string, key = secret): string => createHmac(algorithm, key).update(body).digest('hex');

const right: Readonly<Record<IncomingProvider, [string, string]>> = {
  github: ['x-hub-signature-256', `sha256=${hex('sha256')}`],
  gitlab: ['x-gitlab-token', secret],
  vercel: ['x-vercel-signature', hex('sha1')],
  netlify: ['x-webhook-signature', jws({ iss: 'netlify', sha256 })],
};

test("GitHub's own example is right", () => {
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  expect(
    signatureProblem('github', { 'x-hub-signature-256': signature }, Buffer.from('Hello, World!'), [secret], now),
  ).toBeUndefined();
});

test.each(Object.entries(right) as [IncomingProvider, [string, string]][])(
  '%s: right with the secret, now or former; wrong with another one, without one and for another body',
  (provider, [header, value]) => {
    const problem = (given: Record<string, string | string[]>, secrets = [secret], of = body) =>
      signatureProblem(provider, given, of, secrets, now);
    expect(problem({ [header]: value })).toBeUndefined();
    expect(problem({ [header]: value }, ['another', secret])).toBeUndefined();
    expect(problem({ [header]: value }, ['another'])).toContain('Culprit showed');
    expect(problem({})).toContain('is missing');
    expect(problem({ [header]: '' })).toContain('is missing');
    expect(problem({ [header]: [value] })).toContain('is missing');
    expect(problem({ [header]: `${value}0` })).toBeDefined();
    expect(problem({ [header]: value.slice(0, -1) })).toBeDefined();
    expect(problem({ [header]: value }, [])).toBeDefined();
    // A token says nothing about the body.
    if (provider !== 'gitlab') expect(problem({ [header]: value }, [secret], Buffer.from('{}'))).toBeDefined();
  },
);

test('GitLab with a signing token: the signature covers id, time and body; the secret token stays right beside it', () => {
  const signing = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const headers = signedHeaders(signing, 'delivery', now, body.toString());
  const problem = (more: Record<string, string>, secrets = [signing], of = body, at = now) =>
    signatureProblem('gitlab', { ...headers, ...more }, of, secrets, at);
  expect(problem({})).toBeUndefined();
  expect(problem({ 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` })).toBeUndefined();
  expect(problem({ 'webhook-signature': 'v1,AAAA' })).toContain('Webhook-Signature does not match');
  expect(problem({ 'webhook-id': 'another' })).toBeDefined();
  expect(problem({ 'webhook-id': '' })).toBeDefined();
  expect(problem({ 'webhook-timestamp': '1e9' })).toBeDefined();
  expect(problem({}, [secret])).toBeDefined();
  expect(problem({}, ['whsec_', signing])).toBeUndefined();
  expect(problem({}, ['whsec_'])).toBeDefined();
  expect(problem({}, [signing], Buffer.from('{}'))).toBeDefined();
  expect(problem({}, [signing], body, now + 299_000)).toBeUndefined();
  expect(problem({}, [signing], body, now + 301_000)).toBeDefined();
  expect(problem({ 'x-gitlab-token': secret }, [secret])).toBeUndefined();
  expect(problem({ 'x-gitlab-token': 'another' }, [secret])).toBeDefined();
});

test.each([
  ['no algorithm', `${part({ alg: 'none' })}.${part({ iss: 'netlify', sha256 })}.`],
  ['another algorithm in the head', jws({ iss: 'netlify', sha256 }, { alg: 'HS512' })],
  ['another issuer', jws({ iss: 'somebody', sha256 })],
  ['no hash', jws({ iss: 'netlify' })],
  ['a hash of another kind', jws({ iss: 'netlify', sha256: 5 })],
  ['another hash', jws({ iss: 'netlify', sha256: '0'.repeat(64) })],
  ['four parts', `${jws({ iss: 'netlify', sha256 })}.a`],
  ['no JSON', 'a.b.c'],
  ['dots', '..'],
])('a JWS with %s is wrong', (_name, value) => {
  expect(signatureProblem('netlify', { 'x-webhook-signature': value }, body, [secret], now)).toBeDefined();
});

test.each([
  ['{commit}', { commit: 'abc', tag: '' }, 'abc'],
  ['{commit}', { commit: '', tag: 'v1' }, undefined],
  ['{tag}', { commit: 'abc', tag: 'v1.2.0' }, 'v1.2.0'],
  ['web@{version}', { commit: 'abc', tag: 'v1.2.0' }, 'web@1.2.0'],
  ['web@{version}', { commit: 'abc', tag: 'vanilla' }, 'web@vanilla'],
  ['web@{version}+{commit}', { commit: 'abc', tag: '1.2.0' }, 'web@1.2.0+abc'],
  ['web@{tag}', { commit: 'abc', tag: '' }, undefined],
  // What a tag is called is put in as it is, whatever it looks like.
  ['{tag}', { commit: 'abc', tag: "$&{commit}$'" }, "$&{commit}$'"],
])('%s of %j is %s', (rule, facts, version) => {
  expect(versionOf(rule, facts)).toBe(version);
});

test.each(['latest', '{sha}', 'web@{tag}-{branch}', '{}'])('%s is no rule', (rule) => {
  expect(ruleProblem(rule)).toContain('{commit}, {tag} or {version}');
});
