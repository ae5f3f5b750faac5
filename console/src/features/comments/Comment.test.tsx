import { expect, test, vi } from 'vitest';
import { renderSignedIn } from '../session/testing/render-signed-in.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import { Comment } from './Comment.tsx';
import { Composer } from './Composer.tsx';
import type { IssueComment } from './queries.ts';

const least = some<IssueComment>({
  id: '1',
  user: null,
  text: 'Look at `price`.',
  dateCreated: '2026-11-25T10:00:00Z',
  dateEdited: null,
  canChange: false,
  canDelete: false,
});
const everything = some<IssueComment>({
  ...least,
  user: { id: '1', name: 'Ada', email: 'ada@example.com' },
  text: '- [x] reproduce\n\n```ts\nconst a = 1;\n```\n\n![graph](https://images.example.com/a.png)',
  dateEdited: '2026-11-25T11:00:00Z',
  canChange: true,
  canDelete: true,
});

test('who wrote what; its writer may edit and delete it', async () => {
  const screen = await renderSignedIn(<Comment issue="1" comment={everything} />);
  const comment = screen.getByRole('article', { name: 'Comment by Ada' });
  await expect.element(comment).toHaveTextContent(/, edited /);
  await expect.element(screen.getByRole('checkbox', { name: 'Done' })).toBeDisabled();
  await expect.element(screen.getByRole('button', { name: 'Show “graph” from images.example.com' })).toBeVisible();
  await screen.getByRole('button', { name: 'Edit' }).click();
  const field = screen.getByRole('textbox', { name: 'Edit the comment' });
  await expect.element(field).toHaveFocus();
  await expect.element(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(field).not.toBeInTheDocument();
});

test('of a former user only the words are left', async () => {
  const screen = await renderSignedIn(<Comment issue="1" comment={least} />);
  await expect.element(screen.getByRole('article', { name: 'Comment by Former user' })).toBeVisible();
  expect(screen.getByRole('button').elements()).toEqual([]);
});

test('nothing empty and nothing too long is sent', async () => {
  const onSend = vi.fn();
  const screen = await renderSignedIn(
    <Composer label="Comment" hint="Write" action="Comment" busy={false} error={null} onSend={onSend} />,
  );
  const send = screen.getByRole('button', { name: 'Comment' });
  await expect.element(send).toBeDisabled();
  await screen.getByRole('textbox').fill('x'.repeat(16_385));
  await expect.element(screen.getByRole('alert')).toHaveTextContent('1 character too many.');
  await screen.getByRole('textbox').fill(' fixed ');
  await send.click();
  expect(onSend).toHaveBeenCalledExactlyOnceWith('fixed');
});

test('texts of any length fit', async () => {
  const text = `${hostileText}\n\n| a | b |\n|---|---|\n| ${hostileText} | 2 |`;
  await renderSignedIn(<Comment issue="1" comment={some({ ...everything, user: { name: hostileText }, text })} />);
  await expectToFitNarrow();
});
