import { stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { isValidElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { compileCatalogue } from './catalogue.ts';
import { modules } from './build-messages.ts';
import type { PseudoLocale } from './pseudo.ts';

type Messages = Readonly<Record<string, unknown>>;

/** As it is imported. */
async function load(catalogue: object, locale?: PseudoLocale): Promise<Messages> {
  const source = stripTypeScriptTypes(compileCatalogue('test', JSON.stringify(catalogue), locale)).replaceAll(
    /from '\.\/(format|rich)\.ts'/g,
    (_, name: string) => `from '${pathToFileURL(join(modules, `${name}.ts`)).href}'`,
  );
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as Messages;
}

const call = (message: unknown, parameters: object): unknown => (message as (given: object) => unknown)(parameters);

/** What is read of it. */
function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (!isValidElement<{ children?: ReactNode }>(node)) return String(node);
  const inner = textOf(node.props.children ?? '');
  return typeof node.type === 'string' ? `<${node.type}>${inner}</${node.type}>` : inner;
}

test('a text is a constant, and a group an object', async () => {
  const catalogue = { title: 'It’s `here` $now', roles: { owner: 'Owner', 'two words': 'Both' } };
  expect(compileCatalogue('test', JSON.stringify({ title: 'Teams' }))).toContain(
    `export const title: string = "Teams";`,
  );
  expect(await load(catalogue)).toMatchObject(catalogue);
});

test('parameters, plurals and choices', async () => {
  const messages = await load({
    hello: 'Hello {name}, `you`',
    events: '{count, plural, =0 {No events} one {# event} other {# events}} of {name}',
    state: 'It is {state, select, open {open} other {closed}} since {days, plural, one {# day} other {# days}}.',
  });
  expect(call(messages['hello'], { name: 'Ada' })).toBe('Hello Ada, `you`');
  expect([0, 1, 1204].map((count) => call(messages['events'], { count, name: 'web' }))).toEqual([
    'No events of web',
    '1 event of web',
    '1,204 events of web',
  ]);
  expect(call(messages['state'], { state: 'open', days: 1 })).toBe('It is open since 1 day.');
  expect(call(messages['state'], { state: 'x', days: 2 })).toBe('It is closed since 2 days.');
});

test('elements in a sentence', async () => {
  const { invite, seen } = await load({
    invite: 'Ask <link>the <strong>admin</strong></link>, or run <code>culprit user</code>.',
    seen: '{count, plural, one {Seen <when/>} other {Seen # times, last <when/>}}',
  });
  const link = (text: ReactNode): ReactNode => ['[', text, ']'];
  expect(textOf(call(invite, { link }) as ReactNode)).toBe(
    'Ask [the <strong>admin</strong>], or run <code>culprit user</code>.',
  );
  expect(textOf(call(seen, { count: 3, when: 'now' }) as ReactNode)).toBe('Seen 3 times, last now');
});

test('types tell what a message takes', () => {
  const source = compileCatalogue(
    'test',
    JSON.stringify({ a: '{name} {count, plural, other {#}}', b: '<to>x</to> <when/>' }),
  );
  expect(source).toContain('export const a = (p: { readonly name: string; readonly count: number }): string =>');
  expect(source).toContain('(p: { readonly to: (text: ReactNode) => ReactNode; readonly when: ReactNode }): ReactNode');
});

test.each([
  ['{when, date}', /come formatted/],
  ['{name', /CLOSING_BRACE/],
  ['{n, plural, one {#}}', /OTHER_CLAUSE/],
  ['{n} {n, plural, other {#}}', /string and number at once/],
])('%s is refused', (message, why) => {
  expect(() => compileCatalogue('test', JSON.stringify({ key: message }))).toThrow(why);
});

test('names that are none are refused', () => {
  expect(() => compileCatalogue('test', '{ "delete": "Delete" }')).toThrow('test.json, delete: no name');
  expect(() => compileCatalogue('test', '{ "a-b": "" }')).toThrow('no name');
});

test('a pseudo-locale: longer, accented, data and code as they are', async () => {
  const catalogue = { hello: 'Hello {name}, run <code>npm test</code>', title: 'Teams', seen: 'Seen <when/>' };
  const { hello, title, seen } = await load(catalogue, 'en-XA');
  expect(title).toBe('⟦Ţééààɱš⟧');
  expect(textOf(call(hello, { name: 'Ada' }) as ReactNode)).toBe(
    '⟦Ĥééļļóó \u2068Ada\u2069, ŕûûñ <code>npm test</code>⟧',
  );
  expect(textOf(call(seen, { when: 'now' }) as ReactNode)).toBe('⟦Šééééñ now⟧');
  expect((await load(catalogue, 'en-XB'))['title']).toBe('⟦\u202eŢééààɱš\u202c⟧');
});
