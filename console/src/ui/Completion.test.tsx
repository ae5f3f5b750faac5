import { useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { CompletionKeys, CompletionOption } from './completion.ts';
import { Completion } from './Completion.tsx';
import { violations } from './testing/axe.ts';

const fields: CompletionOption[] = [
  { id: 'level', label: 'level', detail: 'How severe', note: 'choice', section: 'Fields' },
  { id: 'release', label: 'release', section: 'Fields' },
  { id: 'plan', label: 'plan', section: 'Tags' },
];
const people: CompletionOption[] = ['ada', 'grace', 'gustav'].map((id) => ({ id, label: `@${id}` }));

/** A field as pages have one: arrows are the list's, Enter and Tab take what is active, Enter alone sends. */
function Writing({
  options,
  firstActive = false,
  onTake,
}: {
  readonly options: readonly CompletionOption[];
  readonly firstActive?: boolean;
  readonly onTake: (text: string) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const keys = useRef<CompletionKeys>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState<string>();
  const [open, setOpen] = useState(false);
  const [word = ''] = /\S*$/.exec(text) ?? [];
  return (
    <>
      <textarea
        ref={field}
        aria-label="Write"
        aria-haspopup="listbox"
        aria-controls={open ? 'completions' : undefined}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.target.value);
          keys.current?.onChange(event);
        }}
        onKeyDown={(event) => {
          if (event.key.startsWith('Arrow')) keys.current?.onKeyDown(event);
          if (event.key !== 'Enter' && event.key !== 'Tab') return;
          event.preventDefault();
          onTake(active ?? `sent ${text}`);
        }}
      />
      {open && (
        <Completion
          id="completions"
          field={field}
          keys={keys}
          label="Completions"
          value={text}
          question={String(text.length - word.length)}
          options={options.filter(({ label }) => label.startsWith(word))}
          firstActive={firstActive}
          empty="Nothing starts with this"
          foot="Tab inserts"
          onActive={setActive}
          onChoose={({ id }) => onTake(`pressed ${id}`)}
        />
      )}
    </>
  );
}

const active = (): string | null => {
  const id = document.activeElement?.getAttribute('aria-activedescendant');
  return id ? (document.querySelector(`#${CSS.escape(id)} > span`)?.textContent ?? null) : null;
};
const activeIs = (label: string | null) => expect.poll(active).toBe(label);

test('arrows walk the sections and the text itself; the field keeps the focus and says which is active', async () => {
  const onTake = vi.fn();
  const screen = await render(<Writing options={fields} onTake={onTake} />);
  const field = screen.getByRole('textbox', { name: 'Write' });
  await field.click();
  const list = page.getByRole('listbox', { name: 'Completions' });
  await expect.element(list.getByRole('group', { name: 'Fields' }).getByRole('option').first()).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-controls', list.element().id);
  expect(await violations()).toEqual([]);
  await activeIs(null);
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  await activeIs('plan');
  await expect.element(page.getByRole('option', { selected: true })).toHaveTextContent('plan');
  await userEvent.keyboard('{ArrowDown}');
  await activeIs(null);
  await userEvent.keyboard('{ArrowUp}{Tab}');
  await expect.element(field).toHaveFocus();
  expect(onTake.mock.calls.flat()).toEqual(['sent ', 'plan']);
});

test('what is typed narrows the list and leaves none active; another word begins it anew', async () => {
  const onTake = vi.fn();
  const screen = await render(<Writing options={fields} onTake={onTake} />);
  await screen.getByRole('textbox').click();
  await expect.element(page.getByRole('option', { name: 'level' })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  await activeIs('level');
  await userEvent.keyboard('r');
  await activeIs(null);
  await expect.element(page.getByRole('option', { name: 'level' })).not.toBeInTheDocument();
  await userEvent.keyboard('{ArrowDown}');
  await activeIs('release');
  await userEvent.keyboard(' ');
  await activeIs(null);
  await expect.element(page.getByRole('option', { name: 'level' })).toBeVisible();
  await userEvent.keyboard('x');
  await expect.element(page.getByRole('status')).toHaveTextContent('Nothing starts with this');
  await userEvent.keyboard('{Enter}');
  expect(onTake.mock.calls.flat()).toEqual(['sent r x']);
});

test('a press takes an option and leaves the focus where it is; pointing at one changes nothing', async () => {
  const onTake = vi.fn();
  const screen = await render(<Writing options={people} firstActive onTake={onTake} />);
  const field = screen.getByRole('textbox');
  await field.click();
  await activeIs('@ada');
  await page.getByRole('option', { name: '@grace' }).hover();
  await activeIs('@ada');
  await page.getByRole('option', { name: '@grace' }).click();
  expect(onTake.mock.calls.flat()).toEqual(['pressed grace']);
  await page.getByText('Tab inserts').click();
  await expect.element(field).toHaveFocus();
});

test('where the first is active, it is so after each key', async () => {
  const onTake = vi.fn();
  const screen = await render(<Writing options={people} firstActive onTake={onTake} />);
  const field = screen.getByRole('textbox');
  await field.click();
  await activeIs('@ada');
  await userEvent.keyboard('{ArrowUp}');
  await activeIs('@gustav');
  await userEvent.keyboard('@g');
  await activeIs('@grace');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onTake.mock.calls.flat()).toEqual(['gustav']);
  field.element().blur();
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  expect(field.element().getAttributeNames()).not.toContain('aria-activedescendant');
});
