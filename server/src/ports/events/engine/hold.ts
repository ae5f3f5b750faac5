/**
 * A moment of the engine's files: nothing is inserted and nothing is altered while they are linked.
 *
 * Whoever asks for it holds the lanes first, does what has to come before, and then has everything frozen: that takes
 * milliseconds, and until then statements wait that would change something. A hold that is forgotten ends by itself.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lane } from './lanes.ts';
import { RequestError } from './request.ts';

/** Longest hold, ms: what waits for it is waited for itself. */
const longestHoldMs = 20_000;

export interface Hold {
  readonly name: string;
  release(): void;
}

/** All resources of the lanes, one lane after the other: what takes long there is waited for before inserts are. */
export async function holdLanes<Resource>(
  name: string,
  lanes: readonly { readonly lane: Lane<Resource>; readonly size: number }[],
  onEnd: () => void,
): Promise<Hold> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const release = (): void => {
    clearTimeout(limit);
    resolve();
    onEnd();
  };
  const limit = setTimeout(release, longestHoldMs).unref();
  const never = new AbortController().signal;
  for (const { lane, size } of lanes) {
    const held = Array.from({ length: size }, () => {
      const { promise: isHeld, resolve: hold, reject } = Promise.withResolvers<void>();
      lane
        .run(() => {
          hold();
          return over;
        }, never)
        .catch(reject);
      return isHeld;
    });
    try {
      await Promise.all(held);
    } catch (error) {
      release();
      throw error;
    }
  }
  return { name, release };
}

/** Folder of frozen files in the engine's directory, laid down as that is. */
export const frozenDir = (dataDir: string, name: string): string => join(dataDir, 'shadow', name);

export function checkName(name: string): string {
  // The engine would write any other character in its own way.
  if (!/^[a-z0-9_]{1,64}$/.test(name)) throw new RequestError(36, 'BAD_ARGUMENTS', 'The name of a hold is not valid');
  return name;
}

/** What an engine needs beside the parts of its tables to open them: definitions, mutations, tokens of inserts. */
export function copyDefinitions(dataDir: string, name: string): void {
  const to = frozenDir(dataDir, name);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  copyMetadata(dataDir, to);
  for (const table of tablesIn(join(dataDir, 'store'))) {
    const from = join(dataDir, 'store', table);
    for (const entry of readdirSync(from)) {
      const isOfTable =
        entry === 'format_version.txt' || entry === 'deduplication_logs' || /^mutation_\d+\.txt$/.test(entry);
      if (isOfTable || entry.endsWith('.sql')) copy(join(from, entry), join(to, 'store', table, entry));
    }
  }
}

function copyMetadata(dataDir: string, to: string): void {
  const folder = join(dataDir, 'metadata');
  mkdirSync(join(to, 'metadata'), { recursive: true, mode: 0o700 });
  // Before the first table there is none.
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = join(to, 'metadata', entry.name);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(folder, entry.name)), place);
    else if (entry.name.endsWith('.sql')) copy(join(folder, entry.name), place);
  }
}

/** `abc/abcd…`: of tables, and of databases. */
function tablesIn(store: string): string[] {
  if (!existsSync(store)) return [];
  return readdirSync(store).flatMap((prefix) => readdirSync(join(store, prefix)).map((uuid) => join(prefix, uuid)));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  cpSync(from, to, { recursive: true });
}

export function removeFrozen(dataDir: string, name: string): void {
  rmSync(frozenDir(dataDir, name), { recursive: true, force: true });
}
