/** A moment of the embedded engine's files, asked for by whoever has its address. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { ignoreMissing } from '../../base/files.ts';
import { frozenDir } from './engine/hold.ts';
import type { EventsAddress } from './events.ts';

const prefix = 'backup_';
const waitMs = 120_000;

/** Changes wait from the moment that this resolves until `freeze` or the dispose. */
export interface HeldEvents extends AsyncDisposable {
  /** All tables as they are now, in the folder; a later moment is another's. */
  freeze(): Promise<string>;
}

/** `dataDir` is the server's. Throws `CodedError('ENGINE_UNAVAILABLE')`. */
export async function holdEvents(address: EventsAddress, dataDir: string, name: string): Promise<HeldEvents> {
  const held = prefix + name.replaceAll('-', '_');
  await ask(address, 'hold', held);
  return {
    async freeze() {
      await ask(address, 'freeze', held);
      return frozenDir(join(dataDir, 'events'), held);
    },
    async [Symbol.asyncDispose]() {
      await ask(address, 'release', held).catch(() => undefined);
    },
  };
}

/** What runs that were broken off have left: links that keep what the engine has let go of. */
export async function removeFrozen(dataDir: string): Promise<void> {
  const shadow = join(dataDir, 'events', 'shadow');
  for (const name of (await readdir(shadow).catch(ignoreMissing)) ?? []) {
    if (name.startsWith(prefix)) await rm(join(shadow, name), { recursive: true, force: true });
  }
}

async function ask({ url, username, password }: EventsAddress, step: string, name: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${url}/${step}?name=${name}`, {
    method: 'POST',
    headers: { authorization },
    signal: AbortSignal.timeout(waitMs),
  }).catch((cause: unknown) => {
    throw new CodedError('ENGINE_UNAVAILABLE', [], { cause });
  });
  const text = await response.text();
  if (!response.ok) throw new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error(text.trim()) });
}
