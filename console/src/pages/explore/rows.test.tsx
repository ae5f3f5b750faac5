import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { comparedRows } from '../../features/explore/comparison.ts';
import { questionOf } from '../../features/explore/question.ts';
import type { SavedQuestion } from '../../features/explore/saved-queries.ts';
import { tableRows } from '../../features/explore/table.ts';
import { DataList } from '../../ui/DataList.tsx';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { AttributeTable } from './Compare.tsx';
import { GroupRow } from './Groups.tsx';
import { SavedRow } from './Saved.tsx';

const question = questionOf({ groupBy: 'release', yAxis: 'count()' });
const meta = { fields: { release: 'string', 'count()': 'integer' } };
const long = `<b>${'x'.repeat(500)}</b>`;
const rowsOf = (names: readonly (string | null)[], low?: number) =>
  tableRows(
    names.map((release) => ({ release, 'count()': 1500 })),
    meta,
    question,
    3000,
    low === undefined ? undefined : names.map(() => ({ 'count()': [low, 1600] as const })),
  );

const show = (rows: ReturnType<typeof rowsOf>, hasErrors = false) =>
  renderInApp(
    <DataTable label="Groups" dense head={<HeadCell>release</HeadCell>}>
      {rows.map((row) => (
        <GroupRow
          key={row.key}
          row={row}
          question={question}
          search={{}}
          stroke={{ token: '--series-1', dash: [] }}
          hasErrors={hasErrors}
        />
      ))}
    </DataTable>,
  );

test('a group has its value, its number and its share, and leads to its samples', async () => {
  const screen = await show(rowsOf(['1.0', null]));
  for (const text of ['1.0', '(none)']) await expect.element(screen.getByRole('button', { name: text })).toBeVisible();
  await expect.element(screen.getByText('50%').first()).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Samples of 1.0' })).toBeVisible();
});

test('an estimated number says how far it may be off', async () => {
  const screen = await show(rowsOf(['1.0'], 1400), true);
  await expect.element(screen.getByText('±7%')).toBeVisible();
});

test('a difference is a table of values in both parts', async () => {
  const { rows } = comparedRows([
    {
      key: 'release',
      difference: 0.8,
      values: Array.from({ length: 6 }, (_, index) => ({ value: `v${index}`, inSelection: 0.9, inRest: 0.1 })),
    },
  ]);
  const [row] = rows;
  if (!row) throw new Error('nothing differs');
  const screen = await renderInApp(<AttributeTable row={row} />);
  await expect.element(screen.getByRole('table', { name: 'release' })).toBeVisible();
  await expect.element(screen.getByText('2 more values')).toBeVisible();
  expect(await violations()).toEqual([]);
});

const saved: SavedQuestion = {
  id: '1',
  name: 'Errors by release',
  question: {
    dataset: 'errors',
    query: '',
    field: [],
    groupBy: ['release'],
    yAxis: [],
    sort: [],
    project: [],
    environment: [],
  },
  visibility: 'owner',
  mine: true,
  createdBy: null,
  canChange: true,
  dateCreated: '2026-11-20T10:00:00Z',
};

test('a saved query opens, and can be deleted by its owner', async () => {
  const onDelete = vi.fn();
  const screen = await renderInApp(
    <DataList compact label="Saved queries">
      <SavedRow saved={saved} isOpen={false} onOpen={vi.fn()} onDelete={onDelete} />
      <SavedRow
        saved={{ ...saved, id: '2', name: 'Of another', mine: false, visibility: 'organization' }}
        isOpen
        onOpen={vi.fn()}
        onDelete={onDelete}
      />
    </DataList>,
  );
  await screen.getByRole('button', { name: 'Delete Errors by release' }).click();
  expect(onDelete).toHaveBeenCalledOnce();
  await expect.element(screen.getByRole('link', { name: /Of another/ })).toHaveAttribute('aria-current', 'true');
  expect(screen.getByRole('button').elements()).toHaveLength(1);
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long values stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await show(rowsOf([long]));
  await expect.element(screen.getByRole('link')).toBeInTheDocument();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
