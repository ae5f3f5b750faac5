/** What the processing says of a frame and its source map, read from the frame's free-form `data`. */
import type { Frame } from '../event/types.ts';

const codes = ['no_artifact', 'no_map', 'map_invalid', 'no_mapping', 'no_source', 'no_position'] as const;
export type UnresolvedCode = (typeof codes)[number];

/** Why a frame of a script is shown as the browser sent it. Texts are empty where they are not known. */
export interface Unresolved {
  readonly code: UnresolvedCode;
  readonly debugId: string;
  /** Address of the script. */
  readonly url: string;
  /** What is wrong with the map, in words. */
  readonly detail: string;
}

/** The frame before it was mapped. */
export interface Minified {
  /** `https://shop.example.com/assets/index-3f.js:1:20411` */
  readonly location: string;
  readonly function: string;
  /** Name of the map that was used; empty when nobody said. */
  readonly map: string;
}

export function unresolvedOf(frame: Frame): Unresolved | undefined {
  const said = record(frame.data?.['unresolved']);
  const code = codes.find((each) => each === said?.['code']);
  if (!said || !code) return undefined;
  return {
    code,
    debugId: text(said['debug_id']),
    url: text(said['url']) || frame.absPath || frame.filename || '',
    detail: text(said['detail']),
  };
}

export function minifiedOf(frame: Frame): Minified | undefined {
  const raw = record(frame.data?.['raw']);
  if (!raw) return undefined;
  const parts = [text(raw['abs_path']) || text(raw['filename']), number(raw['lineno']), number(raw['colno'])];
  return {
    location: parts.filter((part) => part !== undefined && part !== '').join(':'),
    function: text(raw['function']),
    map: text(frame.data?.['sourcemap']),
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
