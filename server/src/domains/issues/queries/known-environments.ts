/**
 * Environments of projects that were asked for lately. Every page has a choice of them, and they hardly ever change: an
 * answer holds while events come of the environments that it names.
 *
 * An answer: read → forgotten, when an event is of another environment or does not say of which, when events moved
 * between issues, or it is old.
 */
import type { Live, LiveMessage } from '../../../base/live.ts';
import { RecentAnswers } from './recent-answers.ts';

export interface SeenEnvironment {
  readonly name: string;
  /** ms since the epoch, in whole hours. */
  readonly lastSeen: number;
}

const mostKept = 64;
/** How busy each is changes the order, and retention deletes without a word. */
const oldMs = 60_000;

export class KnownEnvironments implements Disposable {
  /** With the projects. */
  readonly #answers = new RecentAnswers<readonly SeenEnvironment[], ReadonlySet<number>>({ most: mostKept, oldMs });
  readonly #unsubscribe: () => void;

  constructor({ live }: { readonly live: Live }) {
    this.#unsubscribe = live.subscribe((message) => {
      if (message.type === 'events') this.#note(message);
      else if (message.type === 'missed' || (message.type === 'issues' && !message.sameEvents))
        this.#answers.forgetAll();
    });
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#answers.forgetAll();
  }

  /** `question`: all that the answer follows from but for the projects. */
  async ask(
    projectIds: readonly number[],
    question: string,
    read: () => Promise<readonly SeenEnvironment[]>,
  ): Promise<readonly SeenEnvironment[]> {
    const key = `${projectIds.join(' ')} ${question}`;
    return (await this.#answers.ask(key, new Set(projectIds), read)).answer;
  }

  #note({ projectId, gained }: Extract<LiveMessage, { type: 'events' }>): void {
    const gains = gained && [...gained.issues.values()].flat();
    for (const { answer, note: projectIds, forget } of this.#answers.standing()) {
      if (!projectIds.has(projectId)) continue;
      const isAmong = (name: string): boolean => answer?.some((one) => one.name === name) ?? false;
      if (!gains?.every(({ environment }) => isAmong(environment))) forget();
    }
  }
}
