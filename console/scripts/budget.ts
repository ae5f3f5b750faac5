/**
 * Measures the built console: gzipped JavaScript of the first load, of the issue page with its highlighter (the path from
 * a digest to the line), and of what each further route adds. Exits 1 when a budget is exceeded. Run after `npm run build`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The build to measure; the console's own unless another directory is named. */
const dist = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'dist'));

/** kB, thousands of bytes. */
const budgets = { firstLoad: 121, digestPath: 155, route: 60 };

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;

/** A chunk with everything that it imports at once. */
function closure(key: string, seen: Set<string> = new Set()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const each of chunk.imports ?? []) closure(each, seen);
  return seen;
}

const sizes = new Map<string, number>();
function kilobytes(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) {
    if (!file.endsWith('.js')) continue;
    let size = sizes.get(file);
    if (size === undefined) {
      size = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
      sizes.set(file, size);
    }
    bytes += size;
  }
  return bytes / 1000;
}

function keyOf(ending: string): string {
  const key = Object.keys(manifest).find((each) => each.endsWith(ending));
  if (!key) throw new Error(`the build has no chunk of ${ending}`);
  return key;
}

const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
if (!entry) throw new Error('the build has no entry');
// The classic script of index.html comes before the entry.
const first = new Set([...closure(entry), 'guard.js']);
const digestPath = new Set([
  ...first,
  ...closure(keyOf('pages/issue/IssuePage.tsx')),
  ...closure(keyOf('code/highlight.ts')),
]);

const rows: { what: string; kB: number; budget: number }[] = [
  { what: 'first load', kB: kilobytes(first), budget: budgets.firstLoad },
  { what: 'issue page with highlighter, from nothing', kB: kilobytes(digestPath), budget: budgets.digestPath },
];
for (const key of Object.keys(manifest).filter((each) => /pages\/.*Page\.tsx$/.test(each))) {
  const more = [...closure(key)].filter((file) => !first.has(file));
  rows.push({ what: `+ ${key.replace(/^src\/pages\//, '')}`, kB: kilobytes(more), budget: budgets.route });
}

for (const row of rows)
  console.log(
    `${row.kB.toFixed(1).padStart(7)} kB of ${String(row.budget).padStart(3)}  ${row.kB > row.budget ? 'OVER  ' : ''}${row.what}`,
  );
if (rows.some((row) => row.kB > row.budget)) process.exitCode = 1;
