import { expect, test, vi } from 'vitest';
import type { GroupingInfo, IssueHash, IssueMerge } from '../../features/grouping/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { HashRow, Rules } from './GroupingHashes.tsx';
import { MergeRow } from './GroupingMerges.tsx';
import { Differences } from './GroupingSimilar.tsx';

const hash = some<IssueHash>({
  hash: 'b'.repeat(32),
  basis: 'exception',
  version: 'culprit:1',
  count: 12,
  firstSeen: '2026-11-24T10:00:00Z',
  lastSeen: '2026-11-25T10:00:00Z',
  explanation: [],
});

test('the hash of the shown event is open; others unfold and are selected', async () => {
  const onToggle = vi.fn();
  const screen = await renderInApp(
    <DataList label="Hashes">
      <HashRow hash={hash} own />
      <HashRow hash={{ ...hash, hash: 'c'.repeat(32), count: 1 }} own={false} chosen={false} onToggle={onToggle} />
    </DataList>,
  );
  await expect.element(screen.getByText('b'.repeat(32))).toBeVisible();
  expect(screen.getByText('c'.repeat(32)).elements()).toHaveLength(0);
  await screen.getByRole('button', { expanded: false }).click();
  await expect.element(screen.getByText('c'.repeat(32))).toBeVisible();
  await screen.getByRole('checkbox', { name: 'Select hash cccccccc' }).click();
  expect(onToggle).toHaveBeenCalledOnce();
  await expect.element(screen.getByText('12 events')).toBeVisible();
  await expect.element(screen.getByText('1 event', { exact: true })).toBeVisible();
});

test('rules say where they stand, and whether the event would be grouped differently now', async () => {
  const info = some<GroupingInfo>({
    rules: [
      { kind: 'fingerprint', line: 2, text: 'error.type:X -> x' },
      { kind: 'built-in', line: null, text: 'family:node' },
    ],
    stored: { same: false },
    fingerprint: ['x', 'y'],
    version: 'culprit:2',
  });
  const screen = await renderInApp(<Rules info={info} />);
  await expect.element(screen.getByText('Fingerprint rule in line 2:')).toBeVisible();
  await expect.element(screen.getByText('Built-in rule: family:node')).toBeVisible();
  await expect.element(screen.getByText('Fingerprint of this event: x, y')).toBeVisible();
  await expect.element(screen.getByText('With culprit:2 it would have another hash.')).toBeVisible();
});

const merge = some<IssueMerge>({
  issue: { id: '2', shortId: 'WEB-2', title: 'TypeError: no total' },
  events: 2,
  hashes: 1,
  mergedAt: '2026-11-25T10:00:00Z',
  by: { name: 'Ada', email: 'ada@example.com' },
});

test('a merged issue says what came with it, and is unmerged', async () => {
  const onUnmerge = vi.fn();
  const screen = await renderInApp(
    <DataList label="Merged">
      <MergeRow merge={merge} busy={false} onUnmerge={onUnmerge} />
    </DataList>,
  );
  await expect.element(screen.getByRole('listitem')).toHaveTextContent(/2 events1 hashmerged by Ada /);
  await screen.getByRole('button', { name: 'Unmerge WEB-2' }).click();
  expect(onUnmerge).toHaveBeenCalledOnce();
});

test('differences are side by side, two at first', async () => {
  const pairs = ['function', 'file', 'message'].map((kind) => ({ kind, here: `${kind} here`, there: `${kind} there` }));
  const screen = await renderInApp(<Differences here="WEB-1" there="WEB-2" differing={pairs as never} />);
  await expect.element(screen.getByText('function in WEB-1')).toBeVisible();
  expect(screen.getByText('message in WEB-2').elements()).toHaveLength(0);
  await screen.getByRole('button', { name: '1 more difference' }).click();
  await expect.element(screen.getByText('message in WEB-2')).toBeVisible();
});

test('texts of any length fit', async () => {
  await renderInApp(
    <>
      <DataList label="Merged">
        <MergeRow
          merge={{ ...merge, issue: { ...merge.issue, title: hostileText } }}
          busy={false}
          onUnmerge={() => undefined}
        />
        <HashRow hash={{ ...hash, version: hostileText }} own chosen={false} onToggle={() => undefined} />
      </DataList>
      <Differences
        here="WEB-1"
        there="WEB-2"
        differing={[{ kind: 'message', here: hostileText, there: '' }] as never}
      />
    </>,
  );
  await expectToFitNarrow();
});
