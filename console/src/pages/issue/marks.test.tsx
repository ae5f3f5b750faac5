import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import { scrubbedOf } from '../../features/event/scrubbed.ts';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { marked, markedPairs } from '../../features/event/ScrubMark.tsx';
import { Crumb } from '../../features/breadcrumbs/Breadcrumbs.tsx';
import { scrubbedBelow } from '../../features/event/scrubbed.ts';
import type { RequestData } from '../../features/event/types.ts';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow } from '../../ui/testing/narrow.ts';
import { RequestPanel } from './RequestPanel.tsx';

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

test('of a request each value has its mark: of the address, the body, headers, cookies and the query', async () => {
  const request = some<RequestData>({
    method: 'POST',
    url: 'https://shop.example/pay/***',
    query: [
      ['page', '2'],
      ['token', ''],
    ],
    fragment: null,
    headers: [
      ['Host', 'shop.example'],
      ['X-Customer', '***'],
    ],
    cookies: [['session', '']],
    data: { card: { owner: null }, cart: 3 },
    env: null,
    inferredContentType: null,
  });
  const found = scrubbedOf({
    request: {
      url: rem('@creditcard', 's'),
      query_string: { 1: { 1: rem('project:tokens', 'x') } },
      headers: { 1: { 1: rem('organization:customers', 'm') } },
      cookies: { 0: { 1: rem('@password', 'x') } },
      data: { card: { owner: rem('project:names', 'x') } },
    },
  });
  const screen = await renderInApp(<RequestPanel request={request} scrubbed={found} project="web" />);
  const tipOf = (element: Element | null | undefined) => element?.querySelector('[data-tip]')?.getAttribute('data-tip');
  const row = (name: string) => screen.getByText(name, { exact: true }).element().closest('div');
  await expect.element(screen.getByText('X-Customer')).toBeVisible();
  expect(tipOf(row('X-Customer'))).toBe('Masked by rule “customers” of the organization');
  expect(tipOf(row('token'))).toBe('Removed by rule “tokens” of project web');
  expect(tipOf(row('session'))).toBe('Removed by rule @password');
  expect(tipOf(row('Host'))).toBeUndefined();
  expect(tipOf(screen.getByText(/pay/).element().closest('p'))).toBe('Replaced by rule @creditcard');
  await screen.getByText('{1}').click();
  const marks = screen.getByRole('button', { name: /^scrubbed\s?Removed by rule “names” of project web$/ });
  await expect.element(marks).toBeVisible();
  expect(await violations()).toEqual([]);
  await expectToFitNarrow();
});

test('a body that was removed whole is told in its place', async () => {
  const request = some<RequestData>({
    method: 'GET',
    url: null,
    query: [],
    headers: [],
    cookies: [],
    data: null,
    env: null,
  });
  const found = scrubbedOf({ request: { data: rem('project:bodies', 'x') } });
  const screen = await renderInApp(<RequestPanel request={request} scrubbed={found} project="web" />);
  await expect.element(screen.getByText('removed', { exact: true })).toBeVisible();
});

test('a tag and a breadcrumb have their marks, in the words of Sentry as well', async () => {
  const found = scrubbedOf({
    tags: { 1: { value: rem('project:who', 'p') } },
    breadcrumbs: { values: { 3: { message: rem('@email', 's'), data: { to: rem('project:mail', 'x') } } } },
  });
  const tags = [
    { key: 'plan', value: 'pro' },
    { key: 'customer', value: 'A0' },
  ];
  const crumb = {
    type: 'default',
    level: 'info',
    category: 'mail',
    message: 'sent to [email]',
    timestamp: null,
    data: { to: null },
  };
  const row = { crumb, key: 3, offsetMs: null, category: 'mail', text: crumb.message };
  const screen = await renderInApp(
    <>
      <KeyValues label="Tags" rows={markedPairs(tags, found, ['tags'], 'web')} />
      <Crumb
        row={row as never}
        open
        found={scrubbedBelow(found, ['breadcrumbs', 'values', '3'])}
        project="web"
        onToggle={() => {}}
      />
    </>,
  );
  const marks = screen.getByRole('button', { name: /^scrubbed/ });
  await expect
    .poll(() => marks.elements().map((each) => each.getAttribute('data-tip')))
    .toEqual([
      'Hashed by rule “who” of project web',
      'message: Replaced by rule @email\ndata.to: Removed by rule “mail” of project web',
      'Removed by rule “mail” of project web',
    ]);
  await expectToFitNarrow();
});
