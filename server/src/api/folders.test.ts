import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

test('a new route touches the folder of its resource only: but for the list, nothing outside of one looks into it', () => {
  const source = join(import.meta.dirname, '..');
  const resourceOf = (file: string): string | undefined => /^api\/(?!shared\/)([\w-]+)\//.exec(file)?.[1];
  const looks: string[] = [];
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || resourceOf(file) !== undefined) continue;
    for (const [, specifier = ''] of readFileSync(join(source, file), 'utf8').matchAll(
      /(?:from|import\() ?'(\.[^']+)'/g,
    )) {
      const seen = relative(source, join(source, dirname(file), specifier));
      if (resourceOf(seen) !== undefined) looks.push(`${file} → ${seen.replace(/\/[\w-]+\//, '/*/')}`);
    }
  }
  // The command line prints stacks of events as the API shows them.
  const printed = ['entries', 'report'].map((name) => `cli/digest.ts → api/*/${name}.ts`);
  expect(new Set(looks)).toEqual(new Set(['api/all.ts → api/*/index.ts', ...printed]));
});

test('projects are read as who asks sees them: but for what is shared by a link, and what the audit log names', () => {
  const unseen = /\b(listProjects|getProject|findProject)\(/;
  const readers = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      unseen.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
  expect(readers).toEqual([join('shared-issue', 'routes.ts'), join('teams', 'routes.ts')]);
});
