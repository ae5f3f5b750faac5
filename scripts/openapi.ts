/**
 * Writes docs/openapi.json and the console's types from the endpoints in server/src/api/contract.
 * `--check` writes nothing and fails when they are stale.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../server/src/api/openapi.ts';

const root = join(import.meta.dirname, '..');
const documentFile = join(root, 'docs/openapi.json');
const typesFile = join(root, 'console/src/api/schema.d.ts');

/** openapi-typescript is built on the compiler API of TypeScript 5, which the console has for it. */
function generateTypes(document: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'culprit-openapi-'));
  try {
    writeFileSync(join(directory, 'openapi.json'), document);
    const program = join(root, 'console/node_modules/openapi-typescript/bin/cli.js');
    execFileSync(process.execPath, [program, join(directory, 'openapi.json'), '-o', join(directory, 'schema.d.ts')], {
      stdio: 'pipe',
    });
    return readFileSync(join(directory, 'schema.d.ts'), 'utf8');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const document = `${JSON.stringify(await openApiDocument(), undefined, 1)}\n`;
const wanted = [
  [documentFile, document],
  [typesFile, generateTypes(document)],
] as const;
const stale = wanted.filter(([file, text]) => read(file) !== text);

if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} is stale; run: node scripts/openapi.ts`);
  process.exitCode = stale.length ? 1 : 0;
} else {
  for (const [file, text] of stale) {
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}
