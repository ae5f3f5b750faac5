import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FSDriver } from 'flydrive/drivers/fs';
import { ignoreMissing, isMissing, syncDirectory } from '../../base/files.ts';

const incomingName = '.incoming';
/** Nobody rests for so long while writing a file; one that was not written to was left by a crash. */
const abandonedMs = 60 * 60 * 1000;

/**
 * flydrive's file driver writes in place: a reader may see half a file, a crash may leave one. This one writes
 * beside, syncs, and renames, so that a key always holds a whole value, and one that survives a power cut.
 */
export class DurableFiles extends FSDriver {
  readonly #root: string;
  #ready: Promise<void> | undefined;

  constructor(root: string) {
    super({ location: root, visibility: 'private' });
    this.#root = root;
  }

  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    await this.#write(key, (file) => file.writeFile(contents));
  }

  async putPieces(key: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#write(key, async (file) => {
      for await (const piece of pieces) await file.writeFile(piece);
    });
  }

  async #write(key: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    await this.#prepared();
    const incoming = join(this.#root, incomingName, randomUUID());
    const location = join(this.#root, key);
    try {
      const file = await open(incoming, 'wx', 0o600);
      try {
        await write(file);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#moveTo(incoming, location);
    } catch (error) {
      await unlink(incoming).catch(() => {});
      throw error;
    }
  }

  override async getBytes(key: string): Promise<Uint8Array> {
    // The driver's own returns the whole buffer under the value, which can be larger than the value.
    return readFile(join(this.#root, key));
  }

  override async deleteAll(prefix: string): Promise<void> {
    // A put may land in a directory between its last file and itself.
    await rm(join(this.#root, prefix), { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
  }

  async #moveTo(incoming: string, location: string): Promise<void> {
    const directory = dirname(location);
    for (let attempt = 1; ; attempt++) {
      let firstMade: string | undefined;
      try {
        firstMade = await mkdir(directory, { recursive: true, mode: 0o700 });
        await rename(incoming, location);
      } catch (error) {
        // The directory may have been deleted in between, with all that had its prefix.
        if (attempt < 20 && isMissing(error)) continue;
        throw error;
      }
      await syncDirectory(directory);
      if (firstMade !== undefined) {
        for (let made = directory; made.length >= firstMade.length; made = dirname(made)) {
          await syncDirectory(dirname(made));
        }
      }
      return;
    }
  }

  async ready(): Promise<void> {
    await this.#prepared();
    await access(join(this.#root, incomingName), constants.W_OK);
  }

  async #prepared(): Promise<void> {
    this.#ready ??= this.#prepare();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    await mkdir(join(this.#root, incomingName), { recursive: true, mode: 0o700 });
    await this.tidy();
  }

  /** Removes what crashes have left of files that were being written. */
  async tidy(): Promise<void> {
    const incoming = join(this.#root, incomingName);
    for (const name of (await readdir(incoming).catch(ignoreMissing)) ?? []) {
      const path = join(incoming, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > abandonedMs) await unlink(path).catch(ignoreMissing);
    }
  }
}
