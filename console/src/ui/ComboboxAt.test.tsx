import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ComboboxAt } from './Combobox.tsx';
import { MenuItem } from './Menu.tsx';
import { MenuAt } from './MenuAt.tsx';

const people = ['Ada', 'Grace', 'Gustav'].map((label) => ({ id: label, label }));

function Rows({ onChoose }: { readonly onChoose: (name: string) => void }) {
  const [open, setOpen] = useState<{ readonly kind: 'menu' | 'list'; readonly anchor: Element }>();
  return (
    <>
      <a
        href="#row"
        onKeyDown={({ key, currentTarget: anchor }) => {
          if (key === 'a' || key === 'm') setOpen({ kind: key === 'a' ? 'list' : 'menu', anchor });
        }}
      >
        A row
      </a>
      {open?.kind === 'list' && (
        <ComboboxAt
          label="Assign to"
          anchor={open.anchor}
          optionsOf={(typed) => people.filter(({ label }) => label.toLowerCase().startsWith(typed))}
          onChoose={({ label }) => onChoose(label)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'menu' && (
        <MenuAt label="Row" anchor={open.anchor} onClose={() => setOpen(undefined)}>
          <MenuItem onSelect={() => onChoose('archived')}>Archive</MenuItem>
        </MenuAt>
      )}
    </>
  );
}

test('what is typed before the code of a list is there is for the list, with Enter', async () => {
  const onChoose = vi.fn();
  const screen = await render(<Rows onChoose={onChoose} />);
  const row = screen.getByRole('link', { name: 'A row' });
  row.element().focus();
  await userEvent.keyboard('agu{Enter}');
  await expect.poll(() => onChoose.mock.calls).toEqual([['Gustav']]);
  await expect.element(page.getByRole('combobox')).not.toBeInTheDocument();
  await expect.element(row).toHaveFocus();
});

test('what is opened by a key at a row gives the focus back to it', async () => {
  const onChoose = vi.fn();
  const screen = await render(<Rows onChoose={onChoose} />);
  const row = screen.getByRole('link', { name: 'A row' });
  row.element().focus();
  await userEvent.keyboard('m');
  await expect.element(page.getByRole('menuitem', { name: 'Archive' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onChoose.mock.calls).toEqual([['archived']]);
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(row).toHaveFocus();
});
