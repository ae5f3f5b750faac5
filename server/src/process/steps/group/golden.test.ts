/** Hashes stand in stores: no line of a version's file may change while the version is there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeEvent } from '../make-event.ts';
import { defaultGroupingConfig, groupEvent, groupingVersions, previousHashes } from './index.ts';

const folder = join(import.meta.dirname, '../../../../../fixtures/grouping');

interface Golden {
  readonly basis: string;
  readonly hashes: readonly string[];
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
}

const events = read<{ name: string; event: unknown }[]>('events.json');
const goldenOf = (version: string): Record<string, Golden> => read(`${version.replace(':', '-')}.json`);

describe.each(groupingVersions)('%s', (version) => {
  const golden = goldenOf(version);

  it.each(events.map(({ name, event }) => [name, event] as const))('%s', (name, raw) => {
    const { basis, hashes } = groupEvent(makeEvent(raw), { ...defaultGroupingConfig, version }).grouping;
    expect({ basis, hashes }).toEqual(golden[name]);
  });
});

describe.each([
  ['culprit:1', 'culprit:2'],
  ['culprit:2', 'culprit:3'],
])('after an upgrade from %s to %s', (previousVersion, version) => {
  const before = goldenOf(previousVersion);
  const config = { ...defaultGroupingConfig, version, previousVersion };

  it.each(events.map(({ name, event }) => [name, event] as const))(
    'the hashes of before are known: %s',
    (name, raw) => {
      const event = makeEvent(raw);
      const { grouping } = groupEvent(event, config);
      const marked = structuredClone(event);
      expect(grouping.previous).toEqual(before[name]?.hashes);
      expect(event).toEqual(marked);
      // As it was stored, it is the same event: to be previewed, or mapped once more.
      expect(previousHashes(structuredClone(event), config)).toEqual(before[name]?.hashes);
      expect(groupEvent(JSON.parse(JSON.stringify(event)) as typeof event, config).grouping.hashes).toEqual(
        grouping.hashes,
      );
    },
  );
});

it('an issue that had no event since the upgrade before is found, too', () => {
  const config = {
    ...defaultGroupingConfig,
    version: 'culprit:3',
    previousVersion: 'culprit:2',
    olderVersions: ['culprit:1'],
  };
  const [first, second] = ['culprit:1', 'culprit:2'].map(goldenOf);
  for (const { name, event } of events) {
    const known = previousHashes(makeEvent(event), config);
    expect(known.slice(0, second?.[name]?.hashes.length)).toEqual(second?.[name]?.hashes);
    expect(known).toEqual(expect.arrayContaining([...(first?.[name]?.hashes ?? [])]));
  }
});

it('version 3 leaves the hashes of JavaScript as they are', () => {
  const [second, third] = ['culprit:2', 'culprit:3'].map(goldenOf);
  const isScript = ({ event }: (typeof events)[number]): boolean => {
    const { platform = 'javascript' } = event as { platform?: string };
    return platform === 'node' || platform === 'javascript';
  };
  const scripts = events.filter(isScript);
  expect(scripts.length).toBeGreaterThan(30);
  for (const { name } of scripts) expect([name, third?.[name]]).toEqual([name, second?.[name]]);
});
