/** Mappings and sources that are in use, shared by all events of a thread and bounded in bytes. */
import type { FindSource, JavaMapping } from '../../process/steps/symbolicate/index.ts';
import { classKey, findSource, type KeyedFile, openKeyed, sourceFileKey } from './keyed/index.ts';
import type { ReadRange } from './lookup/index.ts';
import { type Held, Pool } from './lookup/pool.ts';

export interface DebugFiles {
  mapping(key: string, id: string): JavaMapping;
  source(key: string): FindSource;
}

interface HeldFile extends Held {
  readonly file: KeyedFile;
}

export function createDebugFiles(options: { read: (key: string) => ReadRange; maxBytes: number }): DebugFiles {
  const pool = new Pool(options.maxBytes);
  const files = new Map<string, HeldFile>();
  const opening = new Map<string, Promise<KeyedFile>>();

  async function open(key: string): Promise<KeyedFile> {
    const file = await openKeyed(options.read(key), pool);
    const held: HeldFile = {
      file,
      weightBytes: file.weightBytes,
      drop: () => {
        files.delete(key);
        file.drop();
      },
    };
    files.set(key, held);
    pool.add(held);
    return file;
  }

  async function fileOf(key: string): Promise<KeyedFile> {
    const held = files.get(key);
    if (held) {
      pool.touch(held);
      return held.file;
    }
    const running = opening.get(key) ?? open(key).finally(() => opening.delete(key));
    opening.set(key, running);
    return running;
  }

  return {
    mapping: (key, id) => ({
      id,
      classText: async (name) => (await (await fileOf(key)).get(classKey(name)))?.toString('utf8'),
      sourceFile: async (name) => (await (await fileOf(key)).get(sourceFileKey(name)))?.toString('utf8') ?? '',
    }),
    source: (key) => async (path, bare) => (await findSource(await fileOf(key), path, bare))?.toString('utf8'),
  };
}
