import { expect, test } from 'vitest';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { ActivityRow } from './ActivityStream.tsx';

type Entry = Parameters<typeof ActivityRow>[0]['entry'];
const least = { id: '1', type: 'something_new', data: {}, user: null, dateCreated: '2026-11-25T10:00:00Z' };
const rows = (...entries: object[]) =>
  renderInApp(
    <ol>
      {entries.map((entry, index) => (
        <ActivityRow key={index} entry={entry as Entry} prefix="WEB" />
      ))}
    </ol>,
  );

test('what happened, by whom and when', async () => {
  const ada = { id: '1', name: 'Ada', email: 'ada@example.com' };
  const screen = await rows({ ...least, type: 'set_regression', data: { version: 'shop@3' }, user: ada }, least);
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toMatch(/^Regressed in shop@3 by Ada/);
  expect(second?.textContent).toMatch(/^something new(?! by)/);
});

test('names of any length fit', async () => {
  const data = { assigneeName: hostileText, why: 'ownership' };
  await rows({ ...least, type: 'assigned', data, user: { id: '1', name: hostileText, email: '' } });
  await expectToFitNarrow();
});
