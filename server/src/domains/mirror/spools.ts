/**
 * What waits to be forwarded: a log of its own for each project, sealed as the log of what was received is, so that a
 * target that is down holds up no other. What comes is gathered for a moment in memory, and nobody waits for its write:
 * a crash may take what came in that moment from a mirror, and from nothing else.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoxSetup } from '../../base/secrets/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { EmbeddedLog } from '../../ports/queue/log.ts';
import { openSpool } from '../../ports/queue/open.ts';

export interface SpoolOptions {
  readonly dir: string;
  /** Of each project. */
  readonly limitBytes: number;
  readonly box: BoxSetup;
  /** Something waits now. */
  readonly onAdded: () => void;
  /** There was no room for so many. */
  readonly onDropped: (projectId: number, count: number) => void;
  readonly onFailed: (error: unknown) => void;
}

export interface Waiting {
  readonly records: number;
  readonly bytes: number;
}

interface Gathered {
  readonly projectId: number;
  readonly parts: readonly Uint8Array[];
}

const gatherMs = 50;
/** Of what is in memory for all mirrors. */
const maxGatheredBytes = 32 * 2 ** 20;

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

export class Spools implements AsyncDisposable {
  readonly #options: SpoolOptions;
  readonly #logs = new Map<number, Promise<EmbeddedLog>>();
  readonly #stats = new Map<number, EmbeddedLog>();
  #gathered: Gathered[] = [];
  #gatheredBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  add(projectId: number, parts: readonly Uint8Array[]): void {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (this.#isClosed || this.#gatheredBytes + bytes > maxGatheredBytes) {
      this.#options.onDropped(projectId, 1);
      return;
    }
    this.#gathered.push({ projectId, parts });
    this.#gatheredBytes += bytes;
    this.#timer ??= setTimeout(() => void this.#write(), gatherMs);
  }

  /** Resolves when what was added so far is on disk. */
  flush(): Promise<void> {
    return this.#write();
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeGathered());
    return this.#writing;
  }

  async #writeGathered(): Promise<void> {
    const gathered = this.#gathered.splice(0);
    if (gathered.length === 0) return;
    await Promise.all(
      gathered.map(async ({ projectId, parts }) => {
        try {
          const log = await this.open(projectId);
          await log.append(...parts);
        } catch (error) {
          this.#options.onDropped(projectId, 1);
          if (!(error instanceof CodedError && error.code === 'LOG_FULL')) this.#options.onFailed(error);
        } finally {
          this.#gatheredBytes -= parts.reduce((sum, { length }) => sum + length, 0);
        }
      }),
    );
    this.#options.onAdded();
  }

  /** Closed and opened again, so that what was set aside of it comes back; nothing is written to it meanwhile. */
  reopen(projectId: number): Promise<EmbeddedLog> {
    const opened = this.#reopen(projectId, this.#writing);
    this.#writing = settled(opened);
    return opened;
  }

  async #reopen(projectId: number, written: Promise<void>): Promise<EmbeddedLog> {
    await written;
    const before = this.#logs.get(projectId);
    const opening = (async () => {
      await (await before)?.close();
      return this.#open(projectId);
    })();
    this.#keep(projectId, opening);
    return opening;
  }

  /** That of a project, made where it has none. */
  open(projectId: number): Promise<EmbeddedLog> {
    const known = this.#logs.get(projectId);
    if (known) return known;
    const opening = this.#open(projectId);
    this.#keep(projectId, opening);
    return opening;
  }

  #keep(projectId: number, opening: Promise<EmbeddedLog>): void {
    this.#logs.set(projectId, opening);
    opening.then(
      (log) => this.#stats.set(projectId, log),
      () => this.#logs.delete(projectId),
    );
  }

  async #open(projectId: number): Promise<EmbeddedLog> {
    const dir = this.#dirOf(projectId);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { limitBytes, box } = this.#options;
    return openSpool(dir, { limitBytes, box });
  }

  /** Projects that something may wait for. */
  async projects(): Promise<number[]> {
    const names = await readdir(this.#options.dir).catch(() => []);
    return names.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
  }

  waiting(projectId: number): Waiting {
    return this.#stats.get(projectId)?.stats() ?? { records: 0, bytes: 0 };
  }

  all(): Waiting[] {
    return [...this.#stats.values()].map((log) => log.stats());
  }

  /** All that waits for the project is gone. */
  async remove(projectId: number): Promise<void> {
    await this.#close(projectId);
    await rm(this.#dirOf(projectId), { recursive: true, force: true });
  }

  /** Gives back the disk that a drained one takes. */
  async shrink(projectId: number): Promise<void> {
    await (await this.#logs.get(projectId))?.shrink();
  }

  async #close(projectId: number): Promise<void> {
    const log = this.#logs.get(projectId);
    this.#logs.delete(projectId);
    this.#stats.delete(projectId);
    await (await log)?.close();
  }

  #dirOf(projectId: number): string {
    return join(this.#options.dir, String(projectId));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    await Promise.all([...this.#logs.keys()].map((id) => this.#close(id)));
  }
}
