import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('docs/openapi.json and the types of the console are what the contract says; if not: node scripts/openapi.ts', () => {
  const script = join(import.meta.dirname, 'openapi.ts');
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
