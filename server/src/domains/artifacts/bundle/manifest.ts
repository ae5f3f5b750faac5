/** The manifest of an artifact bundle: what each file in the zip is, and where the browser has it from. */
import { maxUrlLength } from '../urls.ts';
import { manifestProblems } from '../../../base/texts/artifacts.ts';
import { BundleError, quoted } from './bundle-error.ts';

export type FileType = 'minified_source' | 'source_map' | 'source';

export interface BundleFile {
  /** In the zip. */
  readonly path: string;
  readonly type: FileType;
  /** E.g. `~/assets/index.js`. */
  readonly url: string;
  /** Lower-case UUID with hyphens; '' for none. */
  readonly debugId: string;
  /** What the header `sourcemap` says; '' for none. */
  readonly sourceMap: string;
}

const types: ReadonlySet<string> = new Set<FileType>(['minified_source', 'source_map', 'source']);
const debugIdForm = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lower-case UUID with hyphens; undefined for what is none. */
export function normalDebugId(text: string): string | undefined {
  const match = debugIdForm.exec(text.trim().toLowerCase());
  return match ? match.slice(1).join('-') : undefined;
}

/** sentry-cli calls every file that is no source map one that was minified. */
const sourceTypes: ReadonlySet<unknown> = new Set<FileType>(['source', 'minified_source']);
/** Of languages that no source map leads to. */
const plainSource =
  /\.(?:go|rs|py|rb|php|java|kt|kts|scala|sc|groovy|clj|cljc|jvm|cs|fs|vb|ex|exs|erl|dart|swift|m|mm|c|cc|cpp|cxx|h|hh|hpp|zig|lua|pl)$/i;

export const isPlainSource = (path: string): boolean => plainSource.test(path);

/** A source file of a bundle, and the path that frames have for it. */
export interface BundledSource {
  /** In the zip. */
  readonly file: string;
  readonly path: string;
}

/** What a bundle of sources says: its debug id, '' for none, and its files. Throws BundleError. */
export function parseSourceManifest(
  text: string,
  has: (path: string) => boolean,
): { readonly debugId: string; readonly sources: readonly BundledSource[] } {
  const manifest = filesOf(text);
  const sources: BundledSource[] = [];
  for (const [file, about] of Object.entries(manifest.files)) {
    if (!isRecord(about) || !sourceTypes.has(about['type']) || !has(file)) continue;
    const path = [about['url'], about['path']].find((one) => typeof one === 'string' && one !== '');
    if (typeof path === 'string') sources.push({ file, path });
  }
  // The age of a debug id of Windows stands behind the id.
  const id = typeof manifest.debugId === 'string' ? manifest.debugId : '';
  return { debugId: normalDebugId(id) ?? normalDebugId(id.slice(0, 36)) ?? '', sources };
}

function filesOf(text: string): { readonly files: Readonly<Record<string, unknown>>; readonly debugId: unknown } {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new BundleError(manifestProblems.notJson, { cause: error });
  }
  const files = isRecord(manifest) ? manifest['files'] : undefined;
  if (!isRecord(manifest) || !isRecord(files)) throw new BundleError(manifestProblems.noFiles);
  return { files, debugId: manifest['debug_id'] };
}

/** Files of types that no page shows are left out. `has` tells what is in the zip. Throws BundleError. */
export function parseManifest(text: string, has: (path: string) => boolean): BundleFile[] {
  const { files } = filesOf(text);
  const found: BundleFile[] = [];
  for (const [path, about] of Object.entries(files)) {
    if (!has(path)) throw new BundleError(manifestProblems.unknownFile(quoted(path)));
    if (!isRecord(about)) throw new BundleError(manifestProblems.noEntry(quoted(path)));
    const file = parseFile(path, about);
    if (file) found.push(file);
  }
  return found;
}

function parseFile(path: string, { type, url, headers }: Readonly<Record<string, unknown>>): BundleFile | undefined {
  if (typeof type !== 'string' || !types.has(type)) return undefined;
  if (url !== undefined && url !== null && typeof url !== 'string') {
    throw new BundleError(manifestProblems.url(quoted(path)));
  }
  if (headers !== undefined && headers !== null && !isRecord(headers)) {
    throw new BundleError(manifestProblems.headers(quoted(path)));
  }
  // Clients spell header names each in its own way.
  const byName = new Map<string, string>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (typeof value === 'string') byName.set(name.toLowerCase(), value);
  }
  const debugId = byName.get('debug-id') ?? '';
  const normal = debugId === '' ? '' : normalDebugId(debugId);
  if (normal === undefined) {
    throw new BundleError(manifestProblems.debugId(quoted(path), quoted(debugId)));
  }
  const name = (url ?? '').length > maxUrlLength ? undefined : (url ?? '');
  if (name === undefined) throw new BundleError(manifestProblems.urlTooLong(quoted(path), maxUrlLength));
  const sourceMap = byName.get('sourcemap') ?? byName.get('x-sourcemap') ?? '';
  return { path, type: type as FileType, url: name, debugId: normal, sourceMap };
}
