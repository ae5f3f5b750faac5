/**
 * Environments of projects that were asked for lately. Every page has a choice of them, and they hardly ever change: an
 * answer holds while events come of the environments that it names.
 *
 * An answer: read → forgotten, when an event is of another environment or does not say of which, when events moved
 * between issues, or it is old.
 */
import type { Live, LiveMessage } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';

export interface SeenEnvironment {
  readonly name: string;
  /** ms since the epoch, in whole hours. */
  readonly lastSeen: number;
}

interface Entry {
  readonly projectIds: ReadonlySet<number>;
  readonly readAt: number;
  readonly environments: readonly SeenEnvironment[];
  readonly names: ReadonlySet<string>;
}

const maxEntries = 64;
/** How busy each is changes the order, and retention deletes without a word. */
const oldMs = 60_000;

export class KnownEnvironments implements Disposable {
  /** By question; those asked for last at the end. */
  readonly #entries = new Map<string, Entry>();
  /** Under way. */
  readonly #readings = new Set<{ readonly projectIds: ReadonlySet<number>; isChanged: boolean }>();
  readonly #unsubscribe: () => void;

  constructor({ live }: { readonly live: Live }) {
    this.#unsubscribe = live.subscribe((message) => {
      if (message.type === 'events') this.#note(message);
      else if (message.type === 'missed' || (message.type === 'issues' && !message.sameEvents)) this.#forget();
    });
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#entries.clear();
  }

  /** `question`: all that the answer follows from but for the projects. */
  async ask(
    projectIds: readonly number[],
    question: string,
    read: () => Promise<readonly SeenEnvironment[]>,
  ): Promise<readonly SeenEnvironment[]> {
    const key = `${projectIds.join(' ')} ${question}`;
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known && steadyMs() - known.readAt < oldMs) {
      this.#entries.set(key, known);
      return known.environments;
    }
    const reading = { projectIds: new Set(projectIds), isChanged: false };
    const readAt = steadyMs();
    this.#readings.add(reading);
    try {
      const environments = await read();
      const names = new Set(environments.map(({ name }) => name));
      if (!reading.isChanged) this.#keep(key, { projectIds: reading.projectIds, readAt, environments, names });
      return environments;
    } finally {
      this.#readings.delete(reading);
    }
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }

  #note({ projectId, gained }: Extract<LiveMessage, { type: 'events' }>): void {
    for (const reading of this.#readings) if (reading.projectIds.has(projectId)) reading.isChanged = true;
    const gains = gained && [...gained.issues.values()].flat();
    for (const [key, { projectIds, names }] of this.#entries) {
      if (!projectIds.has(projectId)) continue;
      if (!gains?.every(({ environment }) => names.has(environment))) this.#entries.delete(key);
    }
  }

  #forget(): void {
    this.#entries.clear();
    for (const reading of this.#readings) reading.isChanged = true;
  }
}
