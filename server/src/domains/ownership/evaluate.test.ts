import { expect, test } from 'vitest';
import type { CodeMapping } from '../repositories/index.ts';
import type { People } from '../teams/index.ts';
import { parseCodeowners } from './codeowners.ts';
import { decide, matchesOf } from './evaluate.ts';
import { factsOf } from './facts.ts';
import { ownersAmong } from './people.ts';
import { parseOwnershipRules } from './rules.ts';

const people: People = {
  members: [
    { id: 'm1', userId: 'u1', name: 'Jane Doe', email: 'jane@example.com', handle: 'jane', role: 'member', since: 0 },
    {
      id: 'm2',
      userId: 'u2',
      name: 'Kim Lee',
      email: 'kim.lee@example.com',
      handle: 'kim.lee',
      role: 'owner',
      since: 0,
    },
  ],
  teams: [{ id: 3, slug: 'payments', name: 'Payments', createdAt: 0, members: [], projectIds: [] }],
};
const owners = ownersAmong(people);

const mapping = {
  id: 1,
  projectId: 1,
  repository: { id: 9, name: 'acme/shop' },
  stackRoot: '/srv/app/',
  sourceRoot: 'services/shop/',
  branch: '',
} as CodeMapping;

const payload = JSON.stringify({
  request: { url: 'https://shop.example/checkout?step=2' },
  exception: {
    values: [
      { stacktrace: { frames: [{ filename: 'app/cause.ts', in_app: true }] } },
      {
        stacktrace: {
          frames: [
            { filename: 'node_modules/lib/index.js', in_app: false, module: 'lib' },
            { filename: '/srv/app/src/cart.ts', in_app: true, module: 'shop.cart' },
            { filename: 'webpack-internal:///(rsc)/./app/page.tsx', in_app: true, lineno: 12, function: 'Page' },
          ],
        },
      },
    ],
  },
});

const facts = factsOf(payload, { area: 'billing' }, [mapping]);
const evaluate = (raw: string, codeowners = '', names: Record<string, string> = {}) =>
  matchesOf(
    {
      rules: parseOwnershipRules(raw).rules,
      codeowners: codeowners
        ? [{ id: 1, repositoryId: 9, parsed: parseCodeowners(codeowners), names: new Map(Object.entries(names)) }]
        : [],
    },
    facts,
    owners,
  );

test('facts: own frames from the crash outwards, in all their spellings', () => {
  expect(facts.frames.map(({ spellings, mapped }) => [spellings[0], mapped?.path])).toEqual([
    ['app/page.tsx', undefined],
    ['services/shop/src/cart.ts', 'services/shop/src/cart.ts'],
    ['app/cause.ts', undefined],
  ]);
  expect(facts.modules).toEqual(['shop.cart']);
  expect(facts.top).toMatchObject({ function: 'Page', lineNo: 12 });
});

test('where no frame is known to be the own code, all count', () => {
  const all = factsOf(JSON.stringify({ stacktrace: { frames: [{ filename: 'a.py' }, { filename: 'b.py' }] } }), {}, []);
  expect(all.frames.map(({ plain }) => plain)).toEqual(['b.py', 'a.py']);
});

test.each([
  ['path:app/* #payments', 'app/page.tsx'],
  ['path:services/shop/* #payments', 'services/shop/src/cart.ts'],
  ['path:/srv/app/* #payments', '/srv/app/src/cart.ts'],
  ['codeowners:/services/ #payments', 'services/shop/src/cart.ts'],
  ['module:shop.* #payments', 'shop.cart'],
  ['url:*/checkout* #payments', 'https://shop.example/checkout?step=2'],
  ['tags.area:billing #payments', 'area: billing'],
  ['path:node_modules/* #payments', undefined],
  ['tags.__proto__:* #payments', undefined],
])('%s says why', (rule, why) => {
  expect(evaluate(rule)[0]?.why).toBe(why);
});

test('the last rule that matches decides; one that names nobody here does not', () => {
  const matches = evaluate('path:app/* jane@example.com\nurl:* #payments\ntags.area:* gone@example.com');
  expect(matches.map(({ line, unknown }) => [line, unknown])).toEqual([
    [3, ['gone@example.com']],
    [2, []],
    [1, []],
  ]);
  expect(decide(matches)?.owner).toMatchObject({ kind: 'team', slug: 'payments' });
});

test('a rule goes before CODEOWNERS, which go from the crash outwards', () => {
  const file = '/app/ @acme/payments\nservices/shop/ @jane\ncause.ts @Kim-Lee';
  expect(
    evaluate('', file).map(({ source, why, owners: named }) => [source, why, named.map(({ name }) => name)]),
  ).toEqual([
    ['codeowners', 'app/page.tsx', ['Payments']],
    ['codeowners', 'services/shop/src/cart.ts', ['Jane Doe']],
    ['codeowners', 'app/cause.ts', ['Kim Lee']],
  ]);
  expect(decide(evaluate('path:*cause* kim.lee@example.com', file))?.match.source).toBe('rule');
});

test('names of a file are who somebody said they are', () => {
  const file = '* @octocat @acme/unknown';
  expect(evaluate('', file)[0]).toMatchObject({ owners: [], unknown: ['@octocat', '@acme/unknown'] });
  expect(evaluate('', file, { '@octocat': 'user:u1' })[0]).toMatchObject({
    owners: [{ kind: 'user', id: 'u1' }],
    unknown: ['@acme/unknown'],
  });
});

test('patterns and paths that were made to take long are left after a while', () => {
  const rule = { rules: parseOwnershipRules('url:*checkout* #payments\npath:src/* #payments').rules, codeowners: [] };
  let asked = 0;
  const found = matchesOf(rule, facts, owners, () => (asked += 1) > 1);
  expect(found).toEqual([]);
  expect(matchesOf(rule, facts, owners)).toHaveLength(1);
  // Each of these alone takes seconds.
  const pattern = `${'a*'.repeat(495)}b`;
  const lines = Array.from({ length: 60 }, () => pattern);
  const frames = Array.from({ length: 50 }, (_, index) => ({ filename: `${'a'.repeat(990)}${index}`, in_app: true }));
  const hostile = factsOf(JSON.stringify({ exception: { values: [{ stacktrace: { frames } }] } }), {}, []);
  const { rules } = parseOwnershipRules(lines.map((one) => `path:${one} #payments`).join('\n'));
  const parsed = parseCodeowners(lines.map((one) => `${one} @jane`).join('\n'));
  const codeowners = [{ id: 1, repositoryId: null, parsed, names: new Map() }];
  expect(rules).toHaveLength(60);
  expect(matchesOf({ rules, codeowners }, hostile, owners)).toEqual([]);
  expect(matchesOf({ rules: [], codeowners }, hostile, owners)).toEqual([]);
});
