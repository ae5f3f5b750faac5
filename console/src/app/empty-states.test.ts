/** Every empty state of the console: it says what is missing, and its action leads to a route that exists. */
import { QueryClient } from '@tanstack/react-query';
import { isValidElement, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { emptyKinds, type EmptyRecord, type Words } from '../features/places/empty.ts';
import { createConsoleRouter } from './router.tsx';

// What needs a document.
vi.mock('./report.ts', () => ({}));
vi.mock('./watch-links.ts', () => ({ watchLinks: () => () => undefined }));

const modules = import.meta.glob<Readonly<Record<string, EmptyRecord<never>>>>(
  ['../{app,pages,features}/**/empty.ts', '../pages/**/empty-*.ts', '!../features/places/empty.ts'],
  { eager: true },
);
const records = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).map(([name, record]) => [`${path.replace('../', '')} ${name}`, record] as const),
);

const routes: ReadonlySet<string> = new Set(
  Object.values(createConsoleRouter(new QueryClient()).routesById).map(({ fullPath }) => fullPath),
);

/** Of each choice that texts make, the first; of the rest, some text. */
const values = { kind: 'trace', dataSet: 'spans', status: 'all', range: 'Last 7 days', isNarrowed: true } as const;
const some = new Proxy<Readonly<Record<string, unknown>>>(values, {
  get: (known, name: string) => known[name] ?? 'shop',
});

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children);
  return typeof node === 'string' || typeof node === 'number' ? String(node) : '';
}
const said = (words: Words<never>): string => textOf(typeof words === 'function' ? words(some as never) : words);

test('each page declares its own', () => expect(records.length).toBeGreaterThan(45));

test.each(records)('%s', (_, { kind, title, hint, action }) => {
  expect(Object.keys(emptyKinds)).toContain(kind);
  expect(said(title)).toMatch(/^\S.*[^.]$/);
  if (hint !== undefined) expect(said(hint)).not.toBe('');
  if (kind === 'no-match' || kind === 'not-set-up') expect(action, 'the way on').toBeDefined();
  if (!action) return;
  expect(said(action.label)).not.toBe('');
  const { to, search } = action;
  if (to !== undefined && to !== '.') expect(routes).toContain(to);
  expect(search?.({} as never, some as never) ?? {}).toBeTypeOf('object');
});

test('no page draws one without a record', () => {
  const sources = import.meta.glob<string>('../{app,pages,features}/**/*.tsx', {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  const drawing = Object.keys(sources).filter((path) => sources[path]?.includes('<EmptyState'));
  expect(drawing).toEqual(['../features/places/Empty.tsx']);
});
