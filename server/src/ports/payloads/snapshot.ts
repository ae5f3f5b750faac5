/** A moment of the segments: links to their files, so that packing and retention may go on. */
import { linkSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../base/files.ts';

/** Kinds of files, in the order in which they are linked: what an index names is in the chunks that are seen after it. */
const order = ['packed', 'index', 'chunks', 'erased'];
const kindOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** By its path in the folder of payloads, with the bytes that it has at the moment: what is written still only grows. */
export interface LinkedFile {
  readonly path: string;
  readonly size: number;
}

/** Links all files of `from` into `to`, which is on the same file system. Every row that is stored has its payload in them. */
export function linkSegments(from: string, to: string): LinkedFile[] {
  const linked: LinkedFile[] = [];
  for (const day of namesIn(from)) {
    mkdirSync(join(to, day), { recursive: true, mode: 0o700 });
    // A segment that is packed meanwhile has a packed file by then.
    for (let again = true, seen = new Set<string>(); again;) {
      again = false;
      const names = namesIn(join(from, day)).filter((name) => order.includes(kindOf(name)) && !seen.has(name));
      for (const name of names.toSorted((a, b) => order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)))) {
        seen.add(name);
        if (link(join(from, day, name), join(to, day, name))) {
          linked.push({ path: `${day}/${name}`, size: statSync(join(to, day, name)).size });
        } else {
          again = true;
        }
      }
    }
  }
  return linked;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** False where it is gone. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
