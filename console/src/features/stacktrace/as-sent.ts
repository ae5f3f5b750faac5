/** The frame before it was mapped, read from its free-form `data`. */
import type { Frame } from '../event/types.ts';

export interface Minified {
  /** `https://shop.example.com/assets/index-3f.js:1:20411` */
  readonly location: string;
  readonly function: string;
  /** Name of the map that was used; empty when nobody said. */
  readonly map: string;
}

export function minifiedOf(frame: Frame): Minified | undefined {
  const raw = frame.data?.['raw'];
  if (typeof raw !== 'object' || raw === null) return undefined;
  const said = raw as Readonly<Record<string, unknown>>;
  const numbers = [said['lineno'], said['colno']].filter((part) => typeof part === 'number');
  return {
    location: [text(said['abs_path']) || text(said['filename']), ...numbers].filter((part) => part !== '').join(':'),
    function: text(said['function']),
    map: text(frame.data?.['sourcemap']),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
