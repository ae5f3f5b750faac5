import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import { scrubbedOf } from '../../features/event/scrubbed.ts';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { marked } from './ScrubMark.tsx';

const rem = (rule: string, kind: string) => ({ '': { rem: [[rule, kind]] } });
const scrubbed = scrubbedOf({
  extra: {
    customer: rem('project:who', 'm'),
    token: rem('organization:secrets', 'x'),
    cart: { owner: { name: rem('@email:hash', 'p') } },
  },
});
const rows = [
  { key: 'customer', value: '***' },
  { key: 'cart', value: { owner: { name: 'A0' } } },
  { key: 'size', value: 3 },
];

test('values that rules changed have a mark that says which rule did; what was removed has one, too', async () => {
  const screen = await renderInApp(<KeyValues label="Data" rows={marked(rows, scrubbed, ['extra'], 'web')} />);
  const marks = screen.getByRole('button', { name: /^scrubbed/ });
  await expect.element(marks.first()).toBeVisible();
  expect(marks.elements().map((each) => each.getAttribute('data-tip'))).toEqual([
    'Masked by rule “who” of project web',
    'owner.name: Hashed by rule @email:hash',
    'Removed by rule “secrets” of the organization',
  ]);
  await expect.element(screen.getByText('removed', { exact: true })).toBeVisible();
  await userEvent.tab();
  await expect.element(marks.first()).toHaveFocus();
  expect(await violations()).toEqual([]);
});

test('of an event without remarks nothing changes', () => {
  expect(marked(rows, scrubbedOf({}), ['extra'], 'web')).toEqual(rows);
});
