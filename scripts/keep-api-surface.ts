/**
 * `npm run api-surface`, at a release: writes what programs can rely on of the API as it is now to docs/api-surface.txt,
 * with which later changes are compared, and empties the list of declared changes, which the release has made.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentSurface, lastFile } from './api-surface/current.ts';
import { toText } from './api-surface/surface.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

const { version } = JSON.parse(read('../server/package.json')) as { version: string };
const heading = `# The API of version ${version}: every call, and what may stand in its inputs and answers. Made by npm run api-surface.`;
writeFileSync(lastFile, `${heading}\n${toText(await currentSurface())}`);

const declared = 'api-surface/declared-changes.ts';
writeFileSync(join(import.meta.dirname, declared), read(declared).replace(/ = \[.*\];/s, ' = [];'));
console.log(`${lastFile} is that of ${version}`);
