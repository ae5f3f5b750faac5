import { expect, test } from 'vitest';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import { Causes } from './Causes.tsx';
import { Threads } from './Threads.tsx';
import type { Thread } from './threads.ts';

const thread = (fields: object): Thread =>
  some({ id: 1, name: null, state: null, heldLocks: null, priority: null, stacktrace: null, ...fields });
const frame = { context: [], function: hostileText, module: hostileText, filename: hostileText, inApp: true };
const stacktrace = { frames: [frame], framesOmitted: null };

test('many threads are a few at first; what is typed finds one, and its stack unfolds', async () => {
  const many = Array.from({ length: 60 }, (_, id) =>
    thread({ id, name: `worker-${id}`, state: 'RUNNABLE', crashed: id === 0, stacktrace }),
  );
  const screen = await renderInApp(<Threads threads={many} platform="java" />);
  const rows = screen.getByRole('list', { name: 'Threads' }).getByRole('listitem');
  await expect.element(screen.getByText('crashed')).toBeVisible();
  expect(rows.elements()).toHaveLength(10);
  await screen.getByRole('button', { name: 'Show all 60' }).click();
  expect(rows.elements()).toHaveLength(60);
  await screen.getByRole('searchbox', { name: 'Search threads' }).fill('worker-42');
  await screen.getByRole('button', { name: 'worker-42', expanded: false }).click();
  await expect.element(screen.getByRole('button', { name: 'worker-42', expanded: true })).toBeVisible();
  await screen.getByRole('searchbox', { name: 'Search threads' }).fill('nothing');
  await expect.element(screen.getByText('No thread matches.')).toBeVisible();
});

test('names, states, monitors and causes of any length fit', async () => {
  const lock = { type: 8, address: hostileText, package_name: hostileText, class_name: hostileText, thread_id: 1 };
  const heldLocks = { [hostileText]: lock };
  const names = { name: hostileText, state: hostileText };
  const thrown = (index: number) =>
    some<never>({
      title: hostileText,
      exception: {
        type: hostileText,
        value: hostileText,
        mechanism: { handled: false, source: `errors[${index}]`, exception_id: index, parent_id: index - 1 },
      },
      stacktrace: index % 2 === 0 ? stacktrace : undefined,
    });
  await renderInApp(
    <>
      <Threads threads={[thread({ ...names, heldLocks }), thread({ ...names, id: 2 })]} platform="java" />
      <Causes
        shown={Array.from({ length: 9 }, (_, index) => thrown(index))}
        platform="java"
        full={false}
        order="newest"
      />
    </>,
  );
  await expectToFitNarrow();
});
