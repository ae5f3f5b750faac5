/** The recorded React page: every minified frame of its events is found where it was written. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildLookup, openLookup, type Lookup } from './index.ts';

const webApp = new URL('../../../../../../shared/fixtures/web-app/', import.meta.url);

interface ExpectedFrame {
  readonly minified: {
    readonly filename: string;
    readonly lineno: number | null;
    readonly colno: number | null;
    readonly function: string;
  };
  readonly original: {
    readonly source: string;
    readonly line: number;
    readonly column: number;
    readonly function: string | null;
    readonly context_line?: string;
  } | null;
}

interface Expected {
  readonly events: readonly {
    readonly capture: string;
    readonly bundle: string;
    readonly exceptions: readonly { readonly frames: readonly ExpectedFrame[] }[];
  }[];
}

function readAsset(bundle: string, name: string): Uint8Array | undefined {
  const url = new URL(`${bundle}/assets/${name}`, webApp);
  if (existsSync(url)) return readFileSync(url);
  return existsSync(new URL(`${url.href}.gz`)) ? gunzipSync(readFileSync(new URL(`${url.href}.gz`))) : undefined;
}

const lookups = new Map<string, Promise<Lookup> | undefined>();

function lookupOf(bundle: string, name: string): Promise<Lookup> | undefined {
  const key = `${bundle}/${name}`;
  if (!lookups.has(key)) {
    const map = readAsset(bundle, `${name}.map`);
    const script = readAsset(bundle, name);
    const file = map && Buffer.concat([...buildLookup({ map, ...(script ? { script } : {}) }).chunks]);
    lookups.set(key, file && openLookup(async (start, length) => file.subarray(start, start + length)));
  }
  return lookups.get(key);
}

describe.skipIf(!existsSync(webApp))(
  'the recorded React page (shared fixtures; skipped where they are not)',
  async () => {
    const expected = existsSync(webApp)
      ? (JSON.parse(readFileSync(new URL('expected.json', webApp), 'utf8')) as Expected)
      : { events: [] };

    test.each(expected.events)('$capture', async ({ bundle, exceptions }) => {
      for (const { minified, original } of exceptions.flatMap(({ frames }) => frames)) {
        if (!original) continue;
        const lookup = await lookupOf(bundle, minified.filename.split('/').at(-1) ?? '');
        const found = await lookup?.find(minified.lineno ?? 0, minified.colno ?? 0, minified.function);
        const context = found && (await lookup?.context(found.sourceId, found.line, 5));
        expect(found).toMatchObject({ source: original.source, line: original.line, column: original.column });
        if (original.function !== null) expect(found?.functionName ?? minified.function).toBe(original.function);
        if (original.context_line !== undefined) expect(context?.line).toBe(original.context_line);
      }
    });
  },
);
