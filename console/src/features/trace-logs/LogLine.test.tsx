import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import type { TraceEntry } from './entries.ts';
import { LogLine } from './LogLine.tsx';

const error: TraceEntry = {
  kind: 'error',
  key: 'e',
  eventId: 'e'.repeat(32),
  shortId: 'WEB-1',
  offsetUs: 1_234_000,
  level: 'fatal',
  text: 'TypeError: price is null',
  service: 'api',
  row: 3,
};
const least: TraceEntry = {
  ...error,
  kind: 'log',
  id: 'a'.repeat(32),
  level: 'trace',
  text: 'x',
  service: '',
  row: -1,
};
const hostile: TraceEntry = { ...least, text: `<b>${'long '.repeat(2000)}</b>`, service: 'service'.repeat(100) };

const show = (entry: TraceEntry, onSpan?: () => void, onToggle = vi.fn()) =>
  renderInApp(
    <div style={{ containerType: 'inline-size' }}>
      <LogLine entry={entry} span="charge the card" search="price" open={false} onToggle={onToggle} onSpan={onSpan} />
    </div>,
  );

test('an error leads to its issue, and to its span', async () => {
  const onSpan = vi.fn();
  const screen = await show(error, onSpan);
  await expect.element(screen.getByRole('link')).toHaveAttribute('href', `/issues/WEB-1?event=${error.eventId}`);
  await expect.element(screen.getByText('price', { exact: true })).toBeVisible();
  await screen.getByRole('button', { name: 'Show span charge the card' }).click();
  expect(onSpan).toHaveBeenCalledOnce();
  expect(await violations()).toEqual([]);
});

test('a log unfolds', async () => {
  const onToggle = vi.fn();
  const screen = await show(least, undefined, onToggle);
  await screen.getByRole('button', { expanded: false }).click();
  expect(onToggle).toHaveBeenCalledOnce();
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their line, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await show(hostile, vi.fn());
  await expect.element(screen.getByRole('button', { expanded: false })).toBeVisible();
  expect(screen.container.getBoundingClientRect().height).toBeLessThanOrEqual(120);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
