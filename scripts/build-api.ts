/**
 * Makes what others read of the API, from the endpoints in server/src/api, when the server's sources changed since the
 * last build: the OpenAPI document and the types of the console. Neither is kept in git, where they would follow every
 * change of the endpoints in thousands of lines. Nothing that runs needs them, so neither is made where only what runs is
 * installed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'server/dist');
const stamp = join(dist, '.openapi-sources');
const documentFile = join(dist, 'openapi.json');
// It is built on the compiler API of TypeScript 5, which the console has for it.
const program = join(root, 'console/node_modules/openapi-typescript/bin/cli.js');
/**
 * Of the console, and of the client that others install: those who write a call by hand leave out what has a default.
 */
const typeFiles: readonly (readonly [file: string, ...options: string[]])[] = [
  [join(root, 'console/src/api/schema.d.ts')],
  [join(root, 'packages/client/src/schema.ts'), '--default-non-nullable=false'],
];

const read = (file: string): string => readFileSync(file, { encoding: 'utf8', flag: 'a+' });

function fingerprint(): string {
  const sources = readdirSync(join(root, 'server/src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of [...sources.sort(), join(root, 'package-lock.json'), fileURLToPath(import.meta.url)])
    hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

if (existsSync(program)) {
  mkdirSync(dist, { recursive: true });
  const sources = fingerprint();
  const isForced = process.argv.includes('--force') || typeFiles.some(([file]) => !existsSync(file));
  if (isForced || read(stamp) !== sources) {
    const { openApiDocument } = await import('../server/src/api/openapi.ts');
    const document = `${JSON.stringify(await openApiDocument(), undefined, 1)}\n`;
    if (isForced || read(documentFile) !== document) {
      writeFileSync(documentFile, document);
      for (const [file, ...options] of typeFiles)
        execFileSync(process.execPath, [program, documentFile, '-o', file, ...options], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
      console.log(
        `made ${[documentFile, ...typeFiles.map(([file]) => file)].map((file) => relative(root, file)).join(', ')}`,
      );
    }
    writeFileSync(stamp, sources);
  }
}
