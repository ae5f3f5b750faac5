/** The HTML of the console, with what its guard script needs to know filled in: once, not with every request. */
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { CodedError } from '../errors.ts';

/** Empty text says nothing. */
export interface ShellFacts {
  readonly dsn: string;
  readonly release: string;
  readonly environment: string;
}

export interface ShellPage {
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
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

/** Resolves to the page as it lies on disk now. Throws CONSOLE_NOT_BUILT, and what the disk says. */
export function createShell(file: string): (facts: ShellFacts) => Promise<ShellPage> {
  let current: { readonly version: string; readonly page: ShellPage } | undefined;
  return async (facts) => {
    const { mtimeMs, size } = await stat(file).catch((error: unknown) => {
      const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      throw gone ? new CodedError('CONSOLE_NOT_BUILT', [], { cause: error }) : error;
    });
    const version = JSON.stringify([mtimeMs, size, facts]);
    if (current?.version !== version) {
      const identity = Buffer.from(fillShell(await readFile(file, 'utf8'), facts));
      current = { version, page: { identity, br: await brotli(identity), gzip: await gz(identity) } };
    }
    return current.page;
  };
}

/** What the client takes, best first. */
export function encodingOf(acceptEncoding: string | string[] | undefined): keyof ShellPage {
  const accepted = String(acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}
