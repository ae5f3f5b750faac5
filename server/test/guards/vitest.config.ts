/** Runs unit tests with one guard of `guards.ts` taken out: its number is in `CULPRIT_REMOVED_GUARD`. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { guards } from './guards.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guard = guards[Number(process.env['CULPRIT_REMOVED_GUARD'] ?? -1)];

export default defineConfig({
  root,
  plugins: [
    {
      name: 'remove-guard',
      enforce: 'pre',
      transform(code, id) {
        if (!guard || !id.endsWith(`/${guard.file}`)) return undefined;
        if (code.split(guard.find).length !== 2) throw new Error(`not once in ${guard.file}: ${guard.find}`);
        return code.replace(guard.find, () => guard.replace);
      },
    },
  ],
  test: {
    include: ['server/src/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
