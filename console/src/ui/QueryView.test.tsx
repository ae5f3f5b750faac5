import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { QueryView } from './QueryView.tsx';
import { violations } from './testing/axe.ts';
import { queryAs } from './testing/queries.ts';

const words = { loading: 'Loading teams', failed: 'The teams could not be loaded' };
const refused = Object.assign(new Error('The engine is busy.'), { code: 'ENGINE_BUSY', digest: '123456' });
const view = (query: ReturnType<typeof queryAs<string[]>>) => (
  <QueryView query={query} {...words} empty={<p>No teams yet.</p>}>
    {(teams) => <p>{teams.join(', ')}</p>}
  </QueryView>
);

test('rows of their height stand in the place of what loads, after a moment', async () => {
  const screen = await render(view(queryAs()));
  const skeleton = screen.getByRole('status', { name: 'Loading teams' });
  await expect.element(skeleton).toBeInTheDocument();
  expect(skeleton.element().childElementCount).toBe(3);
  expect(skeleton.element().getBoundingClientRect().height).toBe(3 * 56);
  expect(getComputedStyle(skeleton.element()).animationDelay).toBe('0.15s');
});

test('a failure says what, why, its code and its digest, and can be tried again', async () => {
  const refetch = vi.fn();
  const screen = await render(view(queryAs<string[]>({ error: refused, fetchStatus: 'idle', refetch })));
  const alert = screen.getByRole('alert');
  await expect.element(alert).toHaveTextContent('The teams could not be loaded. The engine is busy.');
  await expect.element(alert).toHaveTextContent('ENGINE_BUSY');
  await expect.element(alert).toHaveTextContent('123456');
  await screen.getByRole('button', { name: 'Retry' }).click();
  expect(refetch).toHaveBeenCalledOnce();
  expect(await violations()).toEqual([]);
});

test('offline is no failure', async () => {
  const screen = await render(view(queryAs({ fetchStatus: 'paused' })));
  await expect.element(screen.getByRole('heading', { name: 'You are offline' })).toBeVisible();
});

test('an empty list is said, and what was known stays while it is asked again or cannot be had', async () => {
  const screen = await render(view(queryAs<string[]>({ data: [], fetchStatus: 'idle' })));
  await expect.element(screen.getByText('No teams yet.')).toBeVisible();
  await screen.rerender(view(queryAs({ data: ['Payments'] })));
  const known = screen.getByText('Payments');
  await expect.element(known).toBeVisible();
  expect(known.element().closest('[aria-busy="true"]')).not.toBeNull();
  await screen.rerender(
    view(queryAs({ data: ['Payments'], error: refused, fetchStatus: 'idle', dataUpdatedAt: Date.now() })),
  );
  await expect.element(known).toBeVisible();
  await expect.element(screen.getByRole('status')).toHaveTextContent('The engine is busy. Last updated');
  expect(known.element().closest('[aria-busy="true"]')).toBeNull();
});

test('several questions are one view, once each is answered', async () => {
  const first = queryAs<string>({ data: 'one', fetchStatus: 'idle' });
  const screen = await render(
    <QueryView query={[first, queryAs<number>()]} {...words}>
      {([text, number]) => (
        <p>
          {text} {number + 1}
        </p>
      )}
    </QueryView>,
  );
  await expect.element(screen.getByRole('status', { name: 'Loading teams' })).toBeInTheDocument();
  await screen.rerender(
    <QueryView query={[first, queryAs<number>({ data: 2, fetchStatus: 'idle' })]} {...words}>
      {([text, number]) => (
        <p>
          {text} {number + 1}
        </p>
      )}
    </QueryView>,
  );
  await expect.element(screen.getByText('one 3')).toBeVisible();
});
