import { expect, test, vi } from 'vitest';
import type { Quota } from '../../features/quotas/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { QuotaRow } from './QuotaRow.tsx';

const quota: Quota = {
  id: '1',
  scope: 'project',
  project: { id: '1', slug: 'web', name: 'Web' },
  key: null,
  category: 'error',
  period: 'month',
  amount: 1000,
  hard: true,
  used: 800,
  start: '2026-11-01T00:00:00.000Z',
  end: '2026-12-01T00:00:00.000Z',
  dateCreated: '2026-11-01T00:00:00.000Z',
};

test('a quota says of whom it is and how much is used, and only who may can change it', async () => {
  const onEdit = vi.fn();
  const screen = await renderInApp(
    <DataList label="Quotas">
      <QuotaRow quota={quota} onEdit={onEdit} onDelete={() => undefined} />
      <QuotaRow quota={{ ...quota, id: '2', scope: 'organization', project: null, hard: false, amount: 0 }} />
      <QuotaRow quota={{ ...quota, id: '3', amount: 0 }} />
    </DataList>,
  );
  const [own, soft, none] = screen.getByRole('listitem').elements();
  expect(own?.textContent).toMatch(/Errors per month.*Project web.*800 of 1,000 \(80%\).*starts again/);
  expect(soft?.textContent).toMatch(/soft.*Whole organisation.*800 of 0/);
  expect(none?.textContent).toContain('accepts nothing');
  await screen.getByRole('button', { name: 'Edit Errors per month, web' }).click();
  expect(onEdit).toHaveBeenCalledOnce();
  expect(screen.getByRole('button').elements()).toHaveLength(2);
});

test('rows of long names have room on a phone', async () => {
  const project = { id: '1', slug: 'x'.repeat(200), name: hostileText };
  const idle = { onEdit: () => undefined, onDelete: () => undefined };
  await renderInApp(
    <DataList label="Quotas">
      <QuotaRow
        quota={{ ...quota, project, key: { id: '1', label: hostileText }, used: 1e15, amount: 9e15 }}
        {...idle}
      />
    </DataList>,
  );
  await expectToFitNarrow();
});
