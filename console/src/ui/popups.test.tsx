import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from './Button.tsx';
import { Combobox } from './Combobox.tsx';
import { Confirm } from './Confirm.tsx';
import { Menu, MenuGroup, MenuItem, MenuLink, MenuRule } from './Menu.tsx';
import { Popover } from './Popover.tsx';
import { Tips } from './Tips.tsx';
import { Toaster } from './Toaster.tsx';
import { toast } from './toasts.ts';
import { violations } from './testing/axe.ts';

const actions = (onSelect = vi.fn()) => (
  <Menu label="Actions" renderTrigger={(props) => <Button {...props}>More</Button>}>
    <MenuItem onSelect={() => onSelect('archive')} end="m">
      Archive
    </MenuItem>
    <MenuRule />
    <MenuGroup title="Go to">
      <MenuLink link={<a href="#settings" aria-label="Settings" />}>Settings</MenuLink>
    </MenuGroup>
    <MenuItem disabled onSelect={() => onSelect('never')}>
      Not now
    </MenuItem>
  </Menu>
);

test('a menu opens with the first press, by pointer or key, and gives the focus back', async () => {
  const onSelect = vi.fn();
  const screen = await render(actions(onSelect));
  const trigger = screen.getByRole('button', { name: 'More' });
  await expect.element(trigger).toHaveAttribute('aria-expanded', 'false');
  await trigger.click();
  const menu = page.getByRole('menu', { name: 'Actions' });
  await expect.element(menu).toBeVisible();
  await expect.element(trigger).toHaveAttribute('aria-expanded', 'true');
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(trigger).toHaveFocus();

  await userEvent.keyboard('{ArrowDown}');
  await expect.element(menu).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: 'Archive' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onSelect.mock.calls).toEqual([['archive']]);
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(trigger).toHaveFocus();
});

test('arrow keys walk a menu, letters go to what begins with them', async () => {
  const screen = await render(actions());
  screen.getByRole('button', { name: 'More' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Archive' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Settings' })).toHaveFocus();
  await userEvent.keyboard('a');
  await expect.element(page.getByRole('menuitem', { name: 'Archive' })).toHaveFocus();
});

test('a press on its button closes a menu, and so does one elsewhere', async () => {
  const screen = await render(
    <>
      {actions()}
      <p>elsewhere</p>
    </>,
  );
  const trigger = screen.getByRole('button', { name: 'More' });
  const menu = page.getByRole('menu');
  await trigger.click();
  await expect.element(menu).toBeVisible();
  await trigger.click();
  await expect.element(menu).not.toBeInTheDocument();
  await trigger.click();
  await expect.element(menu).toBeVisible();
  await screen.getByText('elsewhere').click({ force: true });
  await expect.element(menu).not.toBeInTheDocument();
});

test('a popover takes the focus, and gives it back', async () => {
  const screen = await render(
    <Popover label="Time range" renderTrigger={(props) => <Button {...props}>Last 24 hours</Button>}>
      {(close) => (
        <>
          <button type="button" onClick={close}>
            1 hour
          </button>
          <button type="button" aria-current="true" onClick={close}>
            24 hours
          </button>
        </>
      )}
    </Popover>,
  );
  const trigger = screen.getByRole('button', { name: 'Last 24 hours' });
  await trigger.click();
  const panel = page.getByRole('dialog', { name: 'Time range' });
  await expect.element(panel.getByRole('button', { name: '24 hours', exact: true })).toHaveFocus();
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(panel.getByRole('button', { name: '1 hour' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(trigger).toHaveFocus();
  await trigger.click();
  await expect.element(panel).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(trigger).toHaveFocus();
});

test('a combobox narrows by what is typed, and Enter takes the marked one', async () => {
  const people = ['Ada', 'Grace', 'Gustav'].map((label) => ({ id: label, label, current: label === 'Ada' }));
  const onChoose = vi.fn();
  const screen = await render(
    <Combobox
      label="Assign to"
      placeholder="A person or a team"
      optionsOf={(typed) => people.filter(({ label }) => label.toLowerCase().startsWith(typed.toLowerCase()))}
      onChoose={onChoose}
      renderTrigger={(props) => <Button {...props}>Assign</Button>}
    />,
  );
  const trigger = screen.getByRole('button', { name: 'Assign' });
  await trigger.click();
  const input = page.getByRole('combobox', { name: 'Assign to' });
  await expect.element(input).toHaveFocus();
  await expect.element(page.getByRole('option', { name: 'Ada current' })).toBeVisible();
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('g');
  await expect.element(page.getByRole('option', { name: 'Ada' })).not.toBeInTheDocument();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onChoose.mock.calls).toEqual([[people[2]]]);
  await expect.element(trigger).toHaveFocus();
  await trigger.click();
  await expect.element(input).toHaveValue('');
  await userEvent.keyboard('{Enter}');
  expect(onChoose.mock.lastCall).toEqual([people[0]]);
  await trigger.click();
  await userEvent.keyboard('nobody');
  await expect.element(page.getByText('Nothing found')).toBeVisible();
});

test('a tip comes on hover and on focus, can be pointed at, and goes with Escape', async () => {
  const screen = await render(
    <>
      <Tips />
      <Button tip="Archive  m">Archive</Button>
      <p style={{ marginBlockStart: 200 }}>elsewhere</p>
    </>,
  );
  const tip = page.getByText('Archive  m', { exact: true });
  await screen.getByRole('button', { name: 'Archive' }).hover();
  await expect.element(tip).toBeVisible();
  await tip.hover({ force: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(tip).toBeVisible();
  await screen.getByText('elsewhere').hover();
  await expect.element(tip).not.toBeInTheDocument();
  await userEvent.tab();
  await expect.element(tip).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tip).not.toBeInTheDocument();
});

test('a toast is announced, offers the way back, and gives way to the next', async () => {
  await render(<Toaster />);
  const undo = vi.fn();
  toast('Theme: dark');
  const shown = (text: string) => page.getByRole('group', { name: text });
  await expect.element(shown('Theme: dark')).toBeVisible();
  toast('SHOP-1 resolved', { action: { label: 'Undo', run: undo }, group: 'triage' });
  await expect.element(shown('SHOP-1 resolved')).toBeVisible();
  await expect.element(shown('Theme: dark')).not.toBeInTheDocument();
  toast('SHOP-2 resolved', { action: { label: 'Undo', run: undo }, group: 'triage' });
  await expect.element(shown('SHOP-1 resolved')).not.toBeInTheDocument();
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(undo).toHaveBeenCalledOnce();
  await expect.element(shown('SHOP-2 resolved')).not.toBeInTheDocument();
});

test('what cannot be undone asks for the word', async () => {
  const onConfirm = vi.fn();
  await render(
    <Confirm title="Delete shop?" action="Delete project" typed="shop" onConfirm={onConfirm} onClose={() => undefined}>
      <p>All events are deleted.</p>
    </Confirm>,
  );
  const button = page.getByRole('button', { name: 'Delete project' });
  await expect.element(button).toBeDisabled();
  await page.getByRole('textbox', { name: 'Type shop to confirm' }).fill('shop');
  await button.click();
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(await violations()).toEqual([]);
});
