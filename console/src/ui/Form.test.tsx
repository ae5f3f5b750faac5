import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Choice, ChoiceGroup } from './Choice.tsx';
import { SelectField, TextField, Toggle } from './Field.tsx';
import { Form } from './Form.tsx';
import { violations } from './testing/axe.ts';
import { useForm } from './use-form.ts';

interface Team {
  readonly name: string;
  readonly size: number;
  readonly role: string;
  readonly projects: string[];
  readonly muted: boolean;
}

const start: Team = { name: '', size: 3, role: 'member', projects: ['shop'], muted: false };

function TeamForm({
  projects,
  save,
}: {
  readonly projects: readonly string[];
  readonly save: (team: Team) => Promise<void>;
}) {
  const form = useForm<Team>({ start, save });
  return (
    <Form form={form} submit="Create team" onCancel={() => undefined}>
      <TextField
        label="Name"
        focused
        {...form.field('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
      />
      <TextField label="Size" type="number" {...form.field('size', { valueAsNumber: true })} />
      <SelectField label="Role" {...form.field('role')}>
        <option value="member">Member</option>
        <option value="admin">Admin</option>
      </SelectField>
      <ChoiceGroup label="Works on">
        {projects.map((each) => (
          <Choice key={each} label={each} value={each} {...form.field('projects')} />
        ))}
      </ChoiceGroup>
      <Toggle label="Muted" {...form.field('muted')} />
    </Form>
  );
}

test('a form takes native inputs by keyboard and gives their values, of their types', async () => {
  const save = vi.fn<(team: Team) => Promise<void>>(async () => undefined);
  const screen = await render(<TeamForm projects={['shop', 'billing']} save={save} />);
  const button = screen.getByRole('button', { name: 'Create team' });
  await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await expect.element(button).toBeDisabled();
  await userEvent.keyboard('Payments');
  await expect.element(button).toBeEnabled();
  await screen.getByRole('spinbutton', { name: 'Size' }).fill('5');
  await screen.getByRole('combobox', { name: 'Role' }).selectOptions('admin');
  await expect.element(screen.getByRole('checkbox', { name: 'shop' })).toBeChecked();
  await screen.getByRole('checkbox', { name: 'billing' }).click();
  await screen.getByRole('checkbox', { name: 'Muted' }).click();
  expect(await violations()).toEqual([]);
  await button.click();
  expect(save.mock.calls.map(([team]) => team)).toEqual([
    { name: 'Payments', size: 5, role: 'admin', projects: ['shop', 'billing'], muted: true },
  ]);
});

test('one box of a group is a list too', async () => {
  const save = vi.fn<(team: Team) => Promise<void>>(async () => undefined);
  const screen = await render(<TeamForm projects={['shop']} save={save} />);
  await userEvent.keyboard('A');
  await screen.getByRole('checkbox', { name: 'shop' }).click();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => save.mock.calls.map(([team]) => team.projects)).toEqual([[]]);
});

test('says what is wrong with a field when it is left, and what the server said to the form', async () => {
  const save = vi.fn().mockRejectedValueOnce(new Error('This name is taken.')).mockResolvedValue(undefined);
  const screen = await render(<TeamForm projects={[]} save={save} />);
  const name = screen.getByRole('textbox', { name: 'Name' });
  await name.fill(' ');
  await userEvent.tab();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Enter a name.');
  await expect.element(name).toHaveAccessibleDescription('Enter a name.');
  await expect.element(name).toBeInvalid();
  await name.fill('Payments');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('This name is taken.');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
});
