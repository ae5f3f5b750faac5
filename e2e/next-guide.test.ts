/** The guide for Next.js: its code is that of the examples. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleDir } from './next-app.ts';
import { globalError, guideBlocks } from './next-guide.ts';

test('quotes the examples', async () => {
  const blocks = await guideBlocks();
  expect(blocks.size).toBe(7);
  for (const [file, code] of blocks) {
    if (file === globalError) continue;
    for (const example of ['next-15', 'next-16']) {
      expect([example, file, await readFile(join(exampleDir(example), file), 'utf8')]).toEqual([example, file, code]);
    }
  }
  const sourceMaps = await readFile(new URL('../docs/guides/source-maps.md', import.meta.url), 'utf8');
  expect(sourceMaps).toContain(blocks.get('next.config.ts'));
});
