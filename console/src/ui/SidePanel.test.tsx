import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { SidePanel } from './SidePanel.tsx';

test('a side panel takes the focus where it lies over the rows, and closes', async () => {
  const onClose = vi.fn();
  const panel = (focused: boolean) => (
    <SidePanel label="Span" title="GET /cart" close="Close details" focused={focused} onClose={onClose}>
      What goes with it
    </SidePanel>
  );
  await page.viewport(1000, 700);
  const screen = await render(panel(false));
  const side = screen.getByRole('complementary', { name: 'Span' });
  await expect.element(side).not.toHaveFocus();
  expect(side.element().getBoundingClientRect().width).toBe(400);
  await page.viewport(390, 700);
  await screen.rerender(panel(true));
  await expect.element(side).toHaveFocus();
  expect(side.element().getBoundingClientRect().width).toBe(390);
  await screen.getByRole('button', { name: 'Close details' }).click();
  expect(onClose).toHaveBeenCalledOnce();
});
