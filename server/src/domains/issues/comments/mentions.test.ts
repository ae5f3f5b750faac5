import { expect, test } from 'vitest';
import type { People } from '../../teams/index.ts';
import { mentionsOf, usersOf } from './mentions.ts';

const person = (userId: string, handle: string) => ({
  id: `m${userId}`,
  userId,
  name: handle,
  email: `${handle}@example.com`,
  handle,
  role: 'member' as const,
  since: 0,
});

const people: People = {
  members: [person('1', 'jane'), person('2', 'kim.lee'), person('3', 'ana')],
  teams: [{ id: 7, slug: 'payments', name: 'Payments', createdAt: 0, members: ['2', '3'], projectIds: [] }],
};

const named = (text: string, more?: string[]) => mentionsOf(text, people, more).map(({ type, id }) => `${type}:${id}`);

test('people and teams are named once each, in the order of the text', () => {
  expect(named('@kim.lee look, #payments has it. Thanks @JANE. And @kim.lee again')).toEqual([
    'user:2',
    'team:7',
    'user:1',
  ]);
});

test('addresses, paths, longer words and unknown names are none', () => {
  expect(named('mail jane@example.com, npm i @jane/lib/x@ana, see a#payments and ##payments, @janet, #none')).toEqual(
    [],
  );
});

test('code names nobody', () => {
  expect(named('`@jane` and\n```ts\n@ana\n```\n~~~\n#payments\n~~~\nbut ` @kim.lee')).toEqual(['user:2']);
});

test('clients may name more; who is not here is left out', () => {
  expect(named('look', ['user:3', 'team:7', 'user:99', 'nonsense'])).toEqual(['user:3', 'team:7']);
});

test('a team stands for its members', () => {
  expect(usersOf(mentionsOf('#payments @jane @ana', people), people)).toEqual(['2', '3', '1']);
});

test('a long text of signs is read in linear time', () => {
  const text = '@'.repeat(16_000) + '@a.'.repeat(16_000) + '`'.repeat(16_001);
  expect(named(text)).toEqual([]);
});
