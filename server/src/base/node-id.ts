import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What this node is called where it claims work: the same after a restart, so that what a killed server had claimed is
 * its own again at once. Only for whoever has the lock of the directory.
 */
export async function readNodeId(dataDir: string): Promise<string> {
  const path = join(dataDir, 'node.id');
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known) return known;
  const made = randomUUID();
  await writeFile(path, `${made}\n`, { mode: 0o600 });
  return made;
}
