import { expect, test } from 'vitest';
import { digestSnippet } from './digest-snippets.ts';
import type { Evidence } from './queries.ts';

const names: readonly Evidence['framework']['name'][] = [
  'nextjs',
  'react-router',
  'remix',
  'tanstack-start',
  'express',
  'node',
  'react',
  'other',
];

test.each(names)('%s: the lines send the digest, and name what they import', (name) => {
  for (const bundler of ['webpack', 'turbopack', null] as const) {
    const { code, file, install, note } = digestSnippet({ name, bundler });
    expect(code).toMatch(/linkDigest|digestFor|tags: \{ digest \}/);
    expect(file && note).toBeTruthy();
    for (const [, from] of code.matchAll(/from '(@culprit\/\w+)/g)) expect(install).toContain(from);
  }
});
