import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError } from '../errors.ts';

const name = 'secret.key';

export const keyFileOf = ({ dataDir, keyFile }: { readonly dataDir: string; readonly keyFile: string }): string =>
  keyFile || join(dataDir, name);

/** Undefined where there is none. Throws `CodedError('KEY_UNUSABLE')`. */
export async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw unusable(path, error);
  }
}

/**
 * Makes one, for its owner alone, and returns what it holds. Whoever comes at the same time gets the same: a file that
 * is complete and on disk is given its name, which only the first can.
 */
export async function makeKeyFile(path: string): Promise<string> {
  const dir = dirname(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    try {
      await writeDurably(draft, `${randomBytes(32).toString('base64url')}\n`);
      await link(draft, path);
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    await syncDir(dir);
  } catch (error) {
    throw unusable(path, error);
  }
  const made = await readKeyFile(path);
  if (made === undefined) throw unusable(path, new Error('it is gone right after it was made'));
  return made;
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
}

async function syncDir(path: string): Promise<void> {
  await using dir = await open(path, 'r');
  await dir.sync();
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const unusable = (path: string, error: unknown): CodedError =>
  new CodedError('KEY_UNUSABLE', [path, error instanceof Error ? error.message : String(error)], { cause: error });
