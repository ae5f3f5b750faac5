/** The heatmap by keys alone: what a cell has is read out, and a part is chosen. */
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { Heatmap } from './Heatmap.tsx';
import type { TraceHeatmap } from './queries.ts';

const heatmap: TraceHeatmap = {
  from: 1_700_000_040,
  columnSeconds: 60,
  columns: 10,
  rows: [1, 2, 4, 8].map((fromMs) => ({ fromMs, untilMs: fromMs * 2 })),
  cells: [
    [0, 0, 10, 0],
    [8, 3, 2, 1],
    [8, 1, 5, 0],
  ],
  count: 17,
  failed: 1,
};
const onRegion = vi.fn();

async function open() {
  onRegion.mockReset();
  await renderInApp(<Heatmap heatmap={heatmap} region={{}} onRegion={onRegion} />);
  const slider = page.getByRole('slider', { name: 'Requests over time, values' });
  await expect.element(slider).toBeVisible();
  slider.element().focus();
  return slider;
}

test('arrows go from cell to cell: the line above says what it has, and so does a screen reader', async () => {
  const slider = await open();
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^17 requests, 1 failed/));
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/: 2.ms to 4.ms: 5 requests$/));
  await expect.element(page.getByText(/2.ms to 4.ms: 5 requests/).last()).toBeVisible();
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/: 8.ms to 16.ms: 2 requests, 1 failed$/));
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^17 requests, 1 failed/));
});

test('Enter chooses the cell, and with Shift what the arrows went over', async () => {
  await open();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(onRegion).toHaveBeenLastCalledWith({ since: 1_700_000_520, before: 1_700_000_580, fromMs: 2, untilMs: 4 });
  await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowUp}{ArrowUp}{/Shift}{Enter}');
  expect(onRegion).toHaveBeenLastCalledWith({ since: 1_700_000_460, before: 1_700_000_580, fromMs: 2, untilMs: 16 });
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{Escape}{Escape}{Enter}');
  expect(onRegion).toHaveBeenCalledTimes(2);
});
