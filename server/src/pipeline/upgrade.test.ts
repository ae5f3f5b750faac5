/** A project whose algorithm is upgraded keeps its issues: real processing, real state stores. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { recordBatch } from '../domains/issues/index.ts';
import type { State } from '../ports/state/state.ts';
import { onEachDatabase } from '../ports/state/testing/databases.ts';
import { processItem } from '../process/items/index.ts';
import { defaultGroupingSettings, type GroupingSettings, withVersion } from '../process/steps/group/index.ts';
import { defaultProjectSettings, type ProcessedEvent } from '../process/types.ts';

const file = join(import.meta.dirname, '../../../fixtures/grouping/events.json');
const samples = JSON.parse(readFileSync(file, 'utf8')) as { name: string; event: object }[];

let state: State;
let projectId: number;

function processed(grouping: GroupingSettings, at: number): ProcessedEvent[] {
  return samples.flatMap(({ event }) => {
    const payload = Buffer.from(JSON.stringify({ ...event, timestamp: at / 1_000 }));
    const context = { projectId, settings: { ...defaultProjectSettings, grouping }, receivedAt: at };
    return processItem({ type: 'event', header: {}, payload }, context).events ?? [];
  });
}

async function record(grouping: GroupingSettings, at: number) {
  const events = processed(grouping, at);
  const [recorded] = await recordBatch(state, events, at);
  return { events, recorded };
}

async function owners(): Promise<Map<string, { issueId: number; via: string }>> {
  const rows = await state.db.selectFrom('issue_hash').select(['hash', 'issue_id', 'via']).execute();
  return new Map(rows.map(({ hash, issue_id: issueId, via }) => [hash, { issueId, via }]));
}

const by = (version: string): GroupingSettings => ({ ...defaultGroupingSettings, version });
const at = Date.UTC(2026, 10, 21);

onEachDatabase('an upgrade of the algorithm', ({ migrated }) => {
  beforeEach(async () => {
    state = await migrated();
    await state.db
      .insertInto('organization')
      .values({ id: 'o', name: 'o', slug: 'o', logo: null, metadata: null, createdAt: new Date(0) })
      .execute();
    const row = {
      organization_id: 'o',
      slug: 'shop',
      name: 'shop',
      platform: '',
      short_id_prefix: 'SHOP',
      settings: '{}',
      created_at: 0,
      first_event_at: null,
    };
    const { id } = await state.db.insertInto('project').values(row).returning('id').executeTakeFirstOrThrow();
    projectId = id;
  });

  test.each([
    ['culprit:1', 'culprit:2'],
    ['culprit:2', 'culprit:3'],
  ])('issues of version %s are kept under version %s', async (from, version) => {
    const upgraded = withVersion(by(from), version);
    const first = await record(by(from), at);
    expect(first.recorded?.newIssueIds.length).toBeGreaterThan(30);
    const before = await owners();

    const second = await record(upgraded, at + 1_000);
    expect(second.recorded?.newIssueIds).toEqual([]);
    const after = await owners();
    for (const [hash, { issueId }] of before) expect(after.get(hash)?.issueId).toBe(issueId);
    const added = [...after].filter(([hash]) => !before.has(hash));
    expect(added.length).toBeGreaterThan(5);
    for (const [index, { grouping }] of second.events.entries()) {
      const here = after.get(grouping.hashes[0] ?? '')?.issueId;
      const same = second.events.findIndex((other) => other.grouping.hashes[0] === grouping.hashes[0]);
      // Where it was, or where the first one is that version 2 takes for the same error.
      const there = first.events[index] && before.get(first.events[same]?.grouping.hashes[0] ?? '')?.issueId;
      expect(here).toBe(there);
    }
    for (const { grouping } of second.events) {
      // An event may also be found by the one of its hashes that has stayed.
      const stayed = grouping.hashes.some((hash) => before.has(hash));
      for (const hash of grouping.hashes) {
        if (!before.has(hash)) expect(after.get(hash)?.via).toBe(stayed ? '' : 'upgrade');
      }
    }

    // A batch may be stored twice.
    const again = await record(upgraded, at + 1_000);
    expect(again.recorded?.newIssueIds).toEqual([]);
    expect(await owners()).toEqual(after);
  });

  test('without the version of before they would be new', async () => {
    await record(by('culprit:1'), at);
    const { recorded } = await record(by('culprit:2'), at + 1_000);
    expect(recorded?.newIssueIds.length).toBeGreaterThan(5);
  });

  test('issues without an event between two upgrades are kept', async () => {
    await record(by('culprit:1'), at);
    const twice = withVersion(withVersion(by('culprit:1'), 'culprit:2'), 'culprit:3');
    expect(twice).toMatchObject({ previousVersion: 'culprit:2', olderVersions: ['culprit:1'] });
    const { recorded } = await record(twice, at + 1_000);
    expect(recorded?.newIssueIds).toEqual([]);
  });
});
