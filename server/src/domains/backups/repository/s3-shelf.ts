import { randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../../../base/errors.ts';
import type { Objects } from '../../../base/s3/objects.ts';
import { repository as texts } from '../../../base/texts/backups.ts';
import { isAlive } from './in-use.ts';
import type { Shelf, User } from './shelf.ts';

/** Smaller files go in one request. */
const wholeBytes = 8 * 1024 * 1024;
/** How often the notes of a run are written, ms. */
const noteMs = 15_000;
const touchMs = 20_000;
/** Silent for so long, and it was broken off. */
const staleMs = 3 * 60_000;
const lockName = 'in-use';

/**
 * A bucket of S3. A file lies on this machine while it is written or read, one at a time: it is named by the hash of its
 * content, which is known at its end, and nothing in a bucket can be renamed.
 */
export function openS3Shelf(objects: Objects, workDir?: string): Shelf {
  const notes = new Map<string, string>();
  let notedAt = 0;
  /** Of what lies below `objects/`: asking for each would be a request each. */
  let sizes: Map<string, number> | undefined;
  let work: string | undefined;
  const local = (name: string): string => {
    if (workDir !== undefined) mkdirSync(workDir, { recursive: true, mode: 0o700 });
    work ??= workDir ?? temporary();
    return join(work, name);
  };
  const readText = async (name: string): Promise<string | undefined> => {
    const found = await objects.get(name);
    return found && Buffer.from(found.bytes).toString('utf8');
  };
  const writeNotes = async (): Promise<void> => {
    notedAt = performance.now();
    for (const [name, text] of notes) await objects.put(name, Buffer.from(text));
  };
  return {
    place: objects.place,
    prepare: () => objects.ready(),
    async isEmpty() {
      for await (const _ of objects.list('')) return false;
      return true;
    },
    readText,
    async writeText(name, text) {
      await objects.put(name, Buffer.from(text));
    },
    async appendLines(name, text) {
      for (;;) {
        const found = await objects.get(name);
        const bytes = Buffer.concat([found?.bytes ?? Buffer.alloc(0), Buffer.from(text)]);
        // Another node may add to it at the same time.
        if (await objects.put(name, bytes, found ? { ifMatch: found.etag } : { ifAbsent: true })) return;
      }
    },
    async note(name, line) {
      notes.set(name, `${notes.get(name) ?? (await readText(name)) ?? ''}${line}\n`);
      if (performance.now() - notedAt > noteMs) await writeNotes();
    },
    async size(name) {
      if (!name.startsWith('objects/')) return (await objects.head(name))?.size;
      if (!sizes) {
        sizes = new Map();
        for await (const { key, size } of objects.list('objects/')) sizes.set(key, size);
      }
      return sizes.get(name);
    },
    draft() {
      const path = local('draft');
      rmSync(path, { force: true });
      return path;
    },
    async put(draft, name) {
      const { size } = await stat(draft);
      if (size <= wholeBytes) await objects.put(name, await readFile(draft));
      else await objects.putStream(name, createReadStream(draft) as AsyncIterable<Uint8Array>);
      rmSync(draft, { force: true });
      sizes?.set(name, size);
    },
    async fetch(name) {
      const found = await objects.open(name);
      if (!found) return undefined;
      const path = local(`fetched-${randomUUID()}`);
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const piece of found.pieces) await file.writeFile(piece);
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      return { path, size: found.size, [Symbol.dispose]: () => rmSync(path, { force: true }) };
    },
    async remove(name) {
      await objects.delete([name]);
      sizes?.delete(name);
      notes.delete(name);
    },
    async *files(folder) {
      for await (const { key, size } of objects.list(`${folder}/`)) yield { name: key, size };
    },
    settle: writeNotes,
    lock: () => lock(objects),
  };
}

/** Gone with the process. */
function temporary(): string {
  const dir = mkdtempSync(join(tmpdir(), 'culprit-backup-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An object that says who writes, and is written again while they do. Where it is older than that by the clock of S3, it is stale. */
async function lock(objects: Objects): Promise<AsyncDisposable> {
  // Each run has a tag of its own, so that none takes another's for its own.
  const user: User & { readonly run: string } = { host: hostname(), pid: process.pid, run: randomUUID() };
  const content = Buffer.from(JSON.stringify(user));
  for (;;) {
    if (await objects.put(lockName, content, { ifAbsent: true })) break;
    const other = await objects.get(lockName);
    if (!other) continue;
    const found = userOf(other.bytes);
    if (found && (await isThere(objects, found))) {
      throw new CodedError('BACKUP_TARGET', [objects.place, texts.inUse(found.host, found.pid)]);
    }
    if (await objects.put(lockName, content, { ifMatch: other.etag })) break;
  }
  const etag = (await objects.head(lockName))?.etag ?? '';
  const touch = (): void => void objects.put(lockName, content, { ifMatch: etag }).catch(() => undefined);
  const timer = setInterval(touch, touchMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      try {
        if ((await objects.head(lockName))?.etag === etag) await objects.delete([lockName]);
      } catch {
        // Left where it is, it is stale soon.
      }
    },
  };
}

function userOf(bytes: Uint8Array): User | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as User;
  } catch {
    return undefined;
  }
}

async function isThere(objects: Objects, { host, pid }: User): Promise<boolean> {
  for await (const { key, modifiedAt } of objects.list(lockName)) {
    if (key !== lockName) continue;
    const now = Date.now() + ((await objects.clockAhead()) ?? 0);
    if (now - modifiedAt > staleMs) return false;
  }
  if (host !== hostname()) return true;
  // In this process there is one run at a time, so it is of one before that had the same number.
  return pid !== process.pid && isAlive(pid);
}
