import { expect, test, vi } from 'vitest';
import type { Schemas } from '../../api/client.ts';
import type { IssueTag } from '../../features/issues/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { HighlightRow } from './Highlights.tsx';
import { CommitRow } from './SuspectCommits.tsx';
import { TagList } from './TagSpread.tsx';

const commit = some<Schemas['SuspectCommit']>({
  id: '4f2c1ab99ffee0011',
  message: 'Read the price from the cart\n\nMore words.',
  url: 'https://github.com/acme/shop/commit/4f2c1ab',
  author: { name: 'Ada', email: 'ada@example.com' },
  dateCreated: '2026-11-25T10:00:00Z',
  release: 'shop@2',
  file: 'src/cart.ts',
  frame: { filename: '/app/cart.ts', function: null, lineNo: 4 },
  certainty: 'suffix',
  repository: { id: '1', name: 'acme/shop' },
});

test('a suspect commit: its first line leads to it; by whom, when and why', async () => {
  const screen = await renderInApp(
    <DataList label="Commits">
      <CommitRow commit={commit} before="shop@1" />
      <CommitRow commit={{ ...commit, url: null, author: null }} before={undefined} />
    </DataList>,
  );
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toMatch(
    /^Read the price from the cart4f2c1ab\w* by Ada, .+It changed src\/cart\.ts, .+ not of shop@1\.$/,
  );
  expect(second?.textContent).toContain('by an unknown author');
  await expect.element(screen.getByRole('link')).toHaveAttribute('href', commit.url);
});

const tag: IssueTag = some<IssueTag>({
  key: 'plan',
  totalValues: 10,
  uniqueValues: 6,
  topValues: ['pro', 'free', '', 'team', 'other'].map((value, index) => ({
    value,
    name: value,
    count: 6 - index,
    share: (6 - index) / 10,
    estimated: null,
  })),
});
const constant = { ...tag, key: 'os', uniqueValues: 1, topValues: tag.topValues.slice(0, 1) } as IssueTag;

test('tags that differ come first; a value narrows, and shows that it does', async () => {
  const onValue = vi.fn();
  const screen = await renderInApp(
    <TagList tags={[constant, tag]} room={2000} active={new Set(['plan:free'])} onValue={onValue} />,
  );
  await expect.element(screen.getByText('2 more values')).toBeVisible();
  const names = screen.getByRole('heading', { level: 3 }).elements();
  expect(names.map((each) => each.textContent)).toEqual(['plan2 more values', 'os']);
  await expect.element(screen.getByRole('button', { name: /free/, pressed: true })).toBeVisible();
  await screen.getByRole('button', { name: /\(empty\)/ }).click();
  expect(onValue).toHaveBeenCalledExactlyOnceWith('plan', '');
});

test('a share of an estimate says so, and how sure it is', async () => {
  const [value] = tag.topValues;
  const estimated = { ...tag, uniqueValues: 1, topValues: [{ ...value!, estimated: { low: 4, high: 8 } }] } as IssueTag;
  const screen = await renderInApp(
    <TagList tags={[estimated]} room={2000} active={new Set()} onValue={() => undefined} />,
  );
  const button = screen.getByRole('button', { name: 'pro about 6 (4–8)' });
  await expect.element(button).toHaveTextContent('pro≈60%');
  await expect.element(button).toHaveAttribute('data-tip', 'about 6 (4–8) events. Click to show only these.');
});

test('only as many tags as there is room for, the rest on request', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ ...tag, key: `tag ${index}` }));
  const screen = await renderInApp(<TagList tags={many} room={0} active={new Set()} onValue={() => undefined} />);
  await screen.getByRole('button', { name: '9 more tags' }).click();
  expect(screen.getByRole('heading', { level: 3 }).elements()).toHaveLength(12);
  await screen.getByRole('button', { name: 'Fewer tags' }).click();
  expect(screen.getByRole('heading', { level: 3 }).elements()).toHaveLength(3);
});

test('a highlight is copied, and narrows where a tag has it', async () => {
  const onNarrow = vi.fn();
  const screen = await renderInApp(
    <KeyValue compact boxed>
      <HighlightRow highlight={{ label: 'Environment', value: 'production', tag: 'environment' }} onNarrow={onNarrow} />
      <HighlightRow highlight={{ label: 'User', value: 'Ada' }} onNarrow={undefined} />
    </KeyValue>,
  );
  await screen.getByRole('button', { name: 'Filter events by this value: Environment' }).click();
  expect(onNarrow).toHaveBeenCalledExactlyOnceWith('environment', 'production');
  await expect.element(screen.getByRole('button', { name: 'Copy value: User' })).toBeInTheDocument();
});

test('texts of any length fit', async () => {
  await renderInApp(
    <>
      <DataList label="Commits">
        <CommitRow commit={{ ...commit, message: hostileText, file: hostileText }} before={hostileText} />
      </DataList>
      <TagList
        tags={[
          { ...tag, key: hostileText },
          { ...constant, topValues: [{ ...tag.topValues[0]!, name: hostileText }] },
        ]}
        room={2000}
        active={new Set()}
        onValue={() => undefined}
      />
      <KeyValue compact boxed>
        <HighlightRow highlight={{ label: 'Release', value: hostileText, tag: 'release' }} onNarrow={() => undefined} />
      </KeyValue>
    </>,
  );
  await expectToFitNarrow();
});
