import { describe, expect, test } from 'vitest';
import { assign } from './actions.ts';
import { archiveChoices, assignChoices, isMeant, readArchive, resolveChoices } from './choices.ts';

const labels = (choices: readonly { readonly label: string }[]): string[] => choices.map(({ label }) => label);

describe('until when to archive', () => {
  test('the usual ones, the one that a key means first', () => {
    const choices = archiveChoices('');
    expect(labels(choices)).toEqual([
      'Until it escalates',
      'For 1 hour',
      'For 1 day',
      'For 1 week',
      'Until 100 more events',
      'Until 100 more events within 1 hour',
      'Until 10 more users',
      'Forever',
    ]);
    expect(choices[0]?.action.change).toEqual({
      status: 'ignored',
      substatus: 'archived_until_escalating',
      statusDetails: {},
    });
    expect(choices[4]?.action.change).toEqual({
      status: 'ignored',
      substatus: 'archived_until_condition_met',
      statusDetails: { ignoreCount: 100 },
    });
    expect(choices[7]?.action.change.substatus).toBe('archived_forever');
  });

  test.each([
    ['500', ['Until 500 more events', 'Until 500 more users', 'For 500 days']],
    ['20 users', ['Until 20 more users']],
    ['1 user', ['Until 1 more user', 'Until 10 more users']],
    ['3d', ['For 3 days']],
    ['14 days', ['For 2 weeks']],
    ['90 min', ['For 90 minutes']],
    ['50 events in 2 h', ['Until 50 more events within 2 hours']],
    ['50 events per day', ['Until 50 more events within 1 day']],
    ['forev', ['Forever']],
    ['100', ['Until 100 more events', 'Until 100 more users', 'For 100 days', 'Until 100 more events within 1 hour']],
  ])('%s', (typed, expected) => {
    expect(labels(archiveChoices(typed))).toEqual(expected);
  });

  test.each(['0', '0 events', 'x', '5 parsecs', '5 d in 2 h', '9999999999', '999999999 weeks', '-3', '1e9', ''])(
    'nothing is made of %j',
    (typed) => {
      expect(readArchive(typed)).toEqual([]);
    },
  );
});

describe('when it is resolved', () => {
  const releases = [
    { version: 'shop@2.0.0', shortVersion: '2.0.0' },
    { version: 'shop@1.9.0', shortVersion: '1.9.0' },
  ];

  test('now, next, and the known releases', () => {
    const choices = resolveChoices('', releases);
    expect(labels(choices)).toEqual(['Now', 'In the next release', 'In 2.0.0', 'In 1.9.0']);
    expect(choices.map(({ action }) => action.change.statusDetails)).toEqual([
      {},
      { inNextRelease: true },
      { inRelease: 'shop@2.0.0' },
      { inRelease: 'shop@1.9.0' },
    ]);
    expect(choices[1]?.detail).toBe('after 2.0.0');
    expect(labels(resolveChoices('', []))).toEqual(['Now', 'In the next release']);
  });

  test('of several packages each is named, and the next release is that of the package in which it was seen', () => {
    const named = (version: string) => ({ version, shortVersion: version.slice(version.indexOf('@') + 1) });
    const both = ['api@1.0.0', 'web@1.0.0', 'api@0.9.0'].map(named);
    expect(labels(resolveChoices('', both, 'web@0.7.0'))).toEqual([
      'Now',
      'In the next release',
      'In web@1.0.0',
      'In api@1.0.0',
      'In 0.9.0',
    ]);
    expect(resolveChoices('', both, 'web@0.7.0')[1]?.detail).toBe('after web@1.0.0');
    // Which package is meant is unknown.
    for (const seenIn of [undefined, 'worker@1.0.0'])
      expect(resolveChoices('', both, seenIn)[1]?.detail).toBe('after the newest release');
    expect(labels(resolveChoices('web@', both))).toEqual(['In web@1.0.0']);
  });

  test('what is typed chooses; a commit is one', () => {
    expect(labels(resolveChoices('next', releases))).toEqual(['In the next release']);
    expect(labels(resolveChoices('1.9', releases))).toEqual(['In 1.9.0']);
    const [commit] = resolveChoices('4F2C1ab99', releases);
    expect(commit?.label).toBe('By commit 4F2C1ab99');
    expect(commit?.action.change.statusDetails).toEqual({ inCommit: { commit: '4f2c1ab99' } });
    expect(resolveChoices('nothing like it', releases)).toEqual([]);
  });
});

describe('who gets it', () => {
  const me = { type: 'user', id: '1', name: 'Ada', email: 'ada@example.com' } as const;
  const bob = { type: 'user', id: '2', name: 'Bob Builder', email: 'bob@example.com' } as const;
  const web = { type: 'team', id: '7', name: 'web' } as const;
  const all = { me, people: [me, bob], teams: [web], suggested: [], current: null };

  test('oneself, teams, people, once each', () => {
    expect(labels(assignChoices('', all))).toEqual(['Ada (me)', '#web', 'Bob Builder']);
  });

  test('suggested ones stand first, with why; no one is a choice where it is assigned', () => {
    const choices = assignChoices('', { ...all, suggested: [{ assignee: bob, why: 'wrote 4f2c1' }], current: web });
    expect(choices.map(({ label, detail }) => [label, detail])).toEqual([
      ['Bob Builder', 'wrote 4f2c1'],
      ['Ada (me)', 'ada@example.com'],
      ['#web', undefined],
      ['No one', undefined],
    ]);
    expect(choices.filter(({ current }) => current).map(({ label }) => label)).toEqual(['#web']);
    expect(choices.at(-1)?.action.change).toEqual({ assignedTo: '' });
  });

  test('typed: by name, address, handle; any word of them', () => {
    expect(labels(assignChoices('buil', all))).toEqual(['Bob Builder']);
    expect(labels(assignChoices('#we', all))).toEqual(['#web']);
    expect(labels(assignChoices('bob@', all))).toEqual(['Bob Builder']);
    expect(labels(assignChoices('zzz', all))).toEqual([]);
    expect(isMeant('anything', '  ')).toBe(true);
  });

  test('words of what was done', () => {
    expect([bob, web, null].map((to) => assign(to).done('WEB-1'))).toEqual([
      'WEB-1 assigned to Bob Builder',
      'WEB-1 assigned to #web',
      'WEB-1 unassigned',
    ]);
    expect(assign(web).change).toEqual({ assignedTo: 'team:7' });
  });
});
