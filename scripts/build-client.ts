/**
 * Builds `@culprit/client` from the types of the API, when they changed since the last build. Nothing that runs needs it, so
 * it is not built where only what runs is installed.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildPackages } from './package-build.ts';

if (existsSync(fileURLToPath(new URL('../packages/client/src/schema.ts', import.meta.url))))
  await buildPackages([{ name: 'client', uses: [] }]);
