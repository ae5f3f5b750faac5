/**
 * Counts escape hatches in the sources, and lines of CSS; each count may only fall. `--update` writes lower counts down.
 * What pages of the console make themselves although `ui/` has it is none, and stays so.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { countKit, cures, remadeIn } from './kit.ts';

const file = new URL('./ratchet.json', import.meta.url);
const patterns: Readonly<Record<string, RegExp>> = {
  'as any': /\bas any\b|[\w)\]]\??: any\b(?=[;,)\s=|])(?! \w)|<any>/g,
  'silenced type error': /@ts-(?:ignore|expect-error|nocheck)/g,
  'disabled lint rule': /(?:eslint|oxlint)-disable/g,
  'cast through unknown': /\bas unknown as\b/g,
};

const listed = (...kinds: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...kinds], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path && existsSync(path));
const texts = listed('*.ts', '*.tsx')
  .filter((path) => !path.endsWith('.d.ts') && !path.endsWith('scripts/ratchet.ts'))
  .map((path) => readFileSync(path, 'utf8'));
const hatches = Object.fromEntries(
  Object.entries(patterns).map(([name, pattern]) => [
    name,
    texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0),
  ]),
);
const ofConsole = listed('console/src/*.css', 'console/src/*.tsx').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));
const counts: Readonly<Record<string, number>> = { ...hatches, ...countKit(ofConsole) };

const allowed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
const risen = Object.entries(counts).filter(([name, count]) => count > (allowed[name] ?? 0));
for (const [name, count] of risen)
  console.error(
    `"${name}": ${count}, at most ${allowed[name] ?? 0} allowed; ${cures[name] ?? 'mend the type instead'}`,
  );
const remade = remadeIn(ofConsole);
for (const sentence of remade) console.error(sentence);
if (risen.length + remade.length > 0) process.exit(1);
if (process.argv.includes('--update')) writeFileSync(file, `${JSON.stringify(counts, null, 2)}\n`);
