/** What stands in a bundle, all of it in one folder, where a module named a file by its own place. */
import { relative } from 'node:path';

/** `target`: the file or folder; `written`: as its module named it, where a slash at the end says that it is a folder. */
export function fromBundle(dist: string, target: string, written: string): string {
  // The folder of the bundle itself: without a dot the slash would be the root of the disk.
  const path = relative(dist, target) || '.';
  return written.endsWith('/') ? `${path}/` : path;
}
