/** The HTML of the console, with what its guard script needs to know filled in: once, not with every request. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { CodedError } from '../base/errors.ts';

/** Empty text says nothing. */
export interface ShellFacts {
  readonly dsn: string;
  readonly release: string;
  readonly environment: string;
}

export type Encoding = 'identity' | 'br' | 'gzip';

export interface ShellPage {
  readonly bytes: Readonly<Record<Encoding, Buffer>>;
  /** Of its inline scripts and styles, as sources of a content security policy. */
  readonly inline: { readonly script: readonly string[]; readonly style: readonly string[] };
}

/** Fills the first empty attribute of each name: `data-dsn=""` becomes `data-dsn="https://…"`. */
export function fillShell(html: string, facts: ShellFacts): string {
  return Object.entries(facts).reduce(
    (text, [name, value]: [string, string]) => text.replace(`data-${name}=""`, () => `data-${name}="${escape(value)}"`),
    html,
  );
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** Hashes of what stands in the page itself. */
function inlineOf(html: string): ShellPage['inline'] {
  const hashes = (tag: string): string[] =>
    [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
      ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
    );
  return { script: hashes('script'), style: hashes('style') };
}

/** Tags of what pages are made of, by their path; `*` stands for one part. Beside `index.html`, made with it. */
async function readFirstPages(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(dirname(file), 'first-pages.json'), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw error;
  });
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

/** After the entry, which comes first where connections are few. */
const withLinks = (html: string, links: string): string => html.replace('</body>', (end) => links + end);

async function pageOf(html: string): Promise<ShellPage> {
  const identity = Buffer.from(html);
  return { bytes: { identity, br: await brotli(identity), gzip: await gz(identity) }, inline: inlineOf(html) };
}

/** Resolves to the page as it lies on disk now, for a path. Throws CONSOLE_NOT_BUILT, and what the disk says. */
export function createShell(file: string): (facts: ShellFacts, path: string) => Promise<ShellPage> {
  let current:
    | {
        readonly version: string;
        readonly html: string;
        readonly links: ReadonlyMap<string, string>;
        /** By their links. */
        readonly pages: Map<string, ShellPage>;
      }
    | undefined;
  return async (facts, path) => {
    const { mtimeMs, size } = await stat(file).catch((error: unknown) => {
      const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      throw gone ? new CodedError('CONSOLE_NOT_BUILT', [], { cause: error }) : error;
    });
    const version = JSON.stringify([mtimeMs, size, facts]);
    if (current?.version !== version) {
      const [text, links] = await Promise.all([readFile(file, 'utf8'), readFirstPages(file)]);
      current = { version, html: fillShell(text, facts), links, pages: new Map() };
    }
    const { html, links, pages } = current;
    const plain = path.replace(/(?<=.)\/$/, '');
    const own = links.get(plain) ?? links.get(plain.replace(/[^/]+$/, '*')) ?? '';
    const page = pages.get(own) ?? (await pageOf(withLinks(html, own)));
    pages.set(own, page);
    return page;
  };
}

/** What the client takes, best first. */
export function encodingOf(acceptEncoding: string | string[] | undefined): Encoding {
  const accepted = String(acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}
