/** Why a frame could not be mapped, read from the frame's free-form `data`. */
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
  /** Of obfuscated Java, what is missing is its mapping. */
  readonly isJava: boolean;
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
    isJava: said['kind'] === 'mapping',
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
