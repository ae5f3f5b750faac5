import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { CopyLine } from './CopyLine.tsx';
import { EditForm } from './EditForm.tsx';
import { TextField } from './Field.tsx';
import { Form } from './Form.tsx';
import { expectToFitNarrow } from './testing/narrow.ts';
import { useForm } from './use-form.ts';

const form = (props: Partial<Parameters<typeof EditForm>[0]>) => (
  <EditForm changed problems={0} busy={false} onSave={() => undefined} onDiscard={() => undefined} {...props}>
    <p>Rules</p>
  </EditForm>
);

test('its bar saves what was changed and is right, and says how it is', async () => {
  const [onSave, onDiscard] = [vi.fn(), vi.fn()];
  const screen = await render(form({ onSave, onDiscard }));
  await expect.element(screen.getByRole('status')).toHaveTextContent('Unsaved changes');
  await screen.getByRole('button', { name: 'Save' }).click();
  await screen.getByRole('button', { name: 'Discard changes' }).click();
  expect([onSave.mock.calls.length, onDiscard.mock.calls.length]).toEqual([1, 1]);
  await screen.rerender(form({ problems: 2 }));
  await expect.element(screen.getByRole('status')).toHaveTextContent('Fix 2 problems to save');
  await expect.element(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  await screen.rerender(form({ changed: false }));
  await expect.element(screen.getByRole('status')).toHaveTextContent('All changes saved');
  await screen.rerender(form({ readOnly: <p>Only owners save.</p> }));
  expect(screen.getByRole('button').elements()).toEqual([]);
});

function Named({ save }: { readonly save: (name: string) => void }) {
  const kit = useForm({ pressable: true, start: { name: '' }, save: async ({ name }) => save(name) });
  return (
    <>
      <Form form={kit} submit="Create">
        <TextField label="Name" {...kit.field('name', { required: 'Enter a name.' })} />
      </Form>
      <output>{kit.isChanged ? 'changed' : 'saved'}</output>
    </>
  );
}

test('a form that can be pressed says what is missing; what it saved is where it starts from', async () => {
  const save = vi.fn();
  const screen = await render(<Named save={save} />);
  await screen.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Enter a name.');
  expect(save).not.toHaveBeenCalled();
  await screen.getByLabelText('Name').fill('Shop');
  await expect.element(screen.getByRole('status')).toHaveTextContent('changed');
  await screen.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByRole('status')).toHaveTextContent('saved');
  expect(save).toHaveBeenCalledWith('Shop');
  await expect.element(screen.getByLabelText('Name')).toHaveValue('Shop');
});

test('a long text to copy has room on a phone', async () => {
  const screen = await render(<CopyLine text={'x'.repeat(400)} label="Copy DSN" />);
  await expect.element(screen.getByRole('button', { name: 'Copy DSN' })).toBeVisible();
  await expectToFitNarrow();
});
