import { expect, test } from 'vitest';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { Attachments } from './Attachments.tsx';
import type { Attachment } from './queries.ts';

const file = some<Attachment>({ id: '1', name: 'core.dmp', size: 104_935_424, kind: 'other', notStored: null });
const show = (...attachments: Attachment[]) =>
  renderInApp(<Attachments owner={{ org: 'acme', project: 'web', event: 'a'.repeat(32) }} attachments={attachments} />);

test('files are downloaded; texts are shown too; what was not stored says why', async () => {
  const screen = await show(
    file,
    { ...file, id: '2', name: 'cart.json', kind: 'json', size: 12, removed: 'Secrets were removed: 1 × [Filtered]' },
    { ...file, id: '3', notStored: 'huge.bin is larger than 100 MB.' },
  );
  await expect.element(screen.getByRole('link', { name: 'Download core.dmp' })).toHaveAttribute('download', 'core.dmp');
  await expect.element(screen.getByText('104.9\u00a0MB')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Show cart.json' })).toBeVisible();
  await expect.element(screen.getByText('12\u00a0B · Secrets were removed: 1 × [Filtered]')).toBeVisible();
  await expect.element(screen.getByText('huge.bin is larger than 100 MB.')).toBeVisible();
  expect(screen.getByRole('listitem').elements()).toHaveLength(2);
});

test('names of any length fit', async () => {
  await show({ ...file, name: hostileText }, { ...file, id: '2', name: hostileText, notStored: hostileText });
  await expectToFitNarrow();
});
