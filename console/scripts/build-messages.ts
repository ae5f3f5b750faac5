/**
 * Compiles the catalogues in console/messages, and the texts that the server writes as well, to modules in
 * console/src/messages, which are not kept in git. Writes what changed only: it runs before each build, check and test.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descriptions, reasons } from '@culprit/search';
import { thresholds } from '../../server/src/base/texts/detectors.ts';
import { compileCatalogue } from './catalogue.ts';
import { type PseudoLocale, pseudoText } from './pseudo.ts';

export const catalogues = join(import.meta.dirname, '../messages/en');
export const modules = join(import.meta.dirname, '../src/messages');

/** What is written by hand there. */
const kept: ReadonlySet<string> = new Set(['format.ts', 'rich.ts']);

const { functions, ...fields } = descriptions;
/** Catalogues that stand beside who else writes from them. */
const shared: Readonly<Record<string, object>> = {
  'search-fields': fields,
  'search-functions': { functions },
  'search-problems': { reasons },
  detectors: { thresholds },
};

const named = (folder: string, extension: string): string[] =>
  readdirSync(folder).flatMap((file) => (file.endsWith(extension) ? [file.slice(0, -extension.length)] : []));

export const catalogueNames = (): string[] => [...named(catalogues, '.json'), ...Object.keys(shared)];

/** The module of a catalogue. */
export const compiled = (name: string, locale?: PseudoLocale): string =>
  compileCatalogue(
    name,
    shared[name] ? JSON.stringify(shared[name]) : readFileSync(join(catalogues, `${name}.json`), 'utf8'),
    locale,
  );

/** The messages of a catalogue as texts, which take no parameters: for what is no script. */
export function textsOf(name: string, locale?: PseudoLocale): Readonly<Record<string, string>> {
  const texts = JSON.parse(readFileSync(join(catalogues, `${name}.json`), 'utf8')) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, locale ? pseudoText(text, locale) : text]),
  );
}

/** Also what vitest runs once before all tests. */
export default function buildMessages(): void {
  const names = catalogueNames();
  for (const name of names) {
    const file = join(modules, `${name}.ts`);
    const text = compiled(name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
  for (const name of named(modules, '.ts'))
    if (!names.includes(name) && !kept.has(`${name}.ts`)) rmSync(join(modules, `${name}.ts`));
}

if (import.meta.main) buildMessages();
