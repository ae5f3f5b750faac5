/**
 * One run writes to a repository at a time. The repository may lie on another machine's disk, where locks of the system do
 * not reach: so a file says who writes, and is touched while they do.
 */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../../../base/errors.ts';
import { repository as texts } from '../../../base/texts/backups.ts';
import type { User } from './shelf.ts';

const name = 'in-use';
const touchMs = 20_000;
/** Silent for so long, and it was broken off. */
const staleMs = 3 * 60_000;

/** Throws `CodedError('BACKUP_TARGET')` while another run writes. */
export function takeRepository(dir: string): Disposable {
  const path = join(dir, name);
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid } satisfies User), { flag: 'wx' });
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const user = userOf(path);
      if (user && isThere(path, user)) throw new CodedError('BACKUP_TARGET', [dir, texts.inUse(user.host, user.pid)]);
      rmSync(path, { force: true });
    }
  }
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // Away for a moment; what is written next says so.
    }
  }, touchMs).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      rmSync(path, { force: true });
    },
  };
}

function userOf(path: string): User | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as User;
  } catch {
    return undefined;
  }
}

function isThere(path: string, { host, pid }: User): boolean {
  try {
    if (Date.now() - statSync(path).mtimeMs > staleMs) return false;
  } catch {
    return false;
  }
  if (host !== hostname()) return true;
  // In this process there is one run at a time, so it is of one before that had the same number.
  return pid !== process.pid && isAlive(pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
