/**
 * What was asked of the events store about issues lately, by question and issue. The least that the engine takes for a
 * statement is more than all the rest of a page costs, so a page that somebody looks at is answered from here.
 *
 * An answer: read → grown (the issue got events, and they say what they add) | changed (they do not) → read again, soon
 * and before it is given out | forgotten (nobody has asked for it lately; events were moved between issues; it is old).
 * So what is given out is never older than what the live stream has told, but for what an answer cannot add up: that
 * lags for some seconds, and who was given it is told when it was read again.
 *
 * It holds where this process alone writes to the events store, and says on the live stream what it has written.
 */
import { askedBy } from '../../../base/asker.ts';
import type { Live, LiveMessage } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';
import { type Entry, type Growing, hasAll, takeIn } from './known-entry.ts';
import { KnownEnvironments } from './known-environments.ts';
import { KnownRankings } from './known-rankings.ts';

export interface Question<Answer> {
  /** What the answers follow from, but for the issue. */
  readonly key: string;
  /** About the kilobytes of an answer. */
  readonly weight: number;
  /** Issues that are read again at once; those asked for last go first, the rest is forgotten. */
  readonly most: number;
  /** Of lists: whether issues that get events are read before anybody asks, for they come to the top. */
  readonly ahead?: boolean;
  /** Left out: nothing but reading it again says what an answer is after more events. */
  readonly grow?: Growing<Answer>;
  /** For so long an answer is given out that could not add up all of what came. */
  readonly lagMs?: number;
  /** For who waits. Issues that it leaves out have no answer. `isAgain`: some of them were known, and got events. */
  read(issueIds: readonly number[], isAgain: boolean): Promise<ReadonlyMap<number, Answer>>;
  /** The same for nobody in particular, later: keeps nothing of who asked. */
  readAgain(issueIds: readonly number[]): Promise<ReadonlyMap<number, Answer>>;
}

interface View {
  readonly key: string;
  readonly question: Pick<Question<unknown>, 'weight' | 'most' | 'ahead' | 'grow' | 'readAgain'>;
  /** Those asked for last at the end. */
  readonly entries: Map<number, Entry>;
  /** Issues that got events and have no entry. */
  readonly coming: Set<number>;
  askedAt: number;
  /** When it was looked for issues that may come. */
  expectedAt: number;
  /** Under way for all that wait for it. */
  freshening: Promise<void> | undefined;
}

/** A statement that is under way: what changes meanwhile may be missing in its answer. */
interface Reading {
  readonly fromMs: number;
  readonly changed: Set<number>;
  readonly forgotten: Set<number>;
  /** What changed meanwhile was told by another node and not heard. */
  isMissed: boolean;
}

/** What was asked for within this is read again by itself. */
const lookedAtMs = 30_000;
/** Retention deletes without a word. */
const oldMs = 600_000;
/** Kilobytes of answers. */
const maxWeight = 8_192;
/** Reading again by itself takes a tenth of the time at most. */
const pauseFactor = 9;
const longestPauseMs = 5_000;
/** Issues of a round that nobody has asked for yet: more do not fit on a page. */
const mostComing = 100;
const expectEveryMs = 30_000;
/** Read again by themselves; those asked last. */
const mostQuestions = 6;
const sweepMs = 60_000;
/** Where a question says nothing else. */
const usualLagMs = 5_000;

export class KnownAnswers implements Disposable {
  /** Of lists that are sorted by what their issues have. */
  readonly rankings: KnownRankings;
  readonly environments: KnownEnvironments;
  readonly #views = new Map<string, View>();
  readonly #readings = new Set<Reading>();
  readonly #unsubscribe: () => void;
  readonly #sweeps: NodeJS.Timeout;
  #weight = 0;
  /** Of the next round; undefined while nothing has changed. */
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #notBefore = 0;
  readonly #live: Live;
  /** When events were moved between issues last. */
  #movedAt = -Infinity;

  constructor({ live }: { readonly live: Live }) {
    this.#live = live;
    this.rankings = new KnownRankings({ live });
    this.environments = new KnownEnvironments({ live });
    this.#unsubscribe = live.subscribe((message) => {
      if (message.type === 'events') this.#change(message);
      else if (message.type === 'issues' && !message.sameEvents) this.#forget(message.issueIds);
      else if (message.type === 'missed') this.#forgetAll();
    });
    this.#sweeps = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    clearInterval(this.#sweeps);
    clearTimeout(this.#timer);
    this.#views.clear();
    this.rankings[Symbol.dispose]();
    this.environments[Symbol.dispose]();
  }

  async ask<Answer>(question: Question<Answer>, issueIds: readonly number[]): Promise<Map<number, Answer>> {
    const view = this.#viewOf(question);
    const isChanged = (id: number): boolean => view.entries.get(id)?.isChanged ?? false;
    // All that wait for a list share a reading; that under way may have begun before the last change.
    for (let tries = 0; question.ahead && tries < 2 && issueIds.some(isChanged); tries++) await this.#freshen(view);
    const now = steadyMs();
    const answers = new Map<number, Answer>();
    const missing: number[] = [];
    for (const id of issueIds) {
      const entry = view.entries.get(id);
      if (
        !entry ||
        entry.isChanged ||
        now - entry.readAt > oldMs ||
        now - (entry.lag?.sinceMs ?? now) > (question.lagMs ?? usualLagMs)
      ) {
        missing.push(id);
        continue;
      }
      entry.askedAt = now;
      if (entry.lag) entry.lag.isGivenOut = true;
      view.entries.delete(id);
      view.entries.set(id, entry);
      // Those without an answer are remembered as well.
      if (entry.answer !== undefined) answers.set(id, entry.answer as Answer);
    }
    if (!missing.length) return answers;
    const isAgain = missing.some((id) => view.entries.get(id)?.isChanged);
    const read = await this.#read(view, missing, (ids) => question.read(ids, isAgain));
    for (const [id, answer] of read) answers.set(id, answer as Answer);
    return answers;
  }

  /**
   * Of a list that was asked for: issues that are likely to come to its top. They are read soon, so that whoever asks once
   * they are there does not wait; looked for once in a while. Never throws.
   */
  async expect(key: string, candidates: () => Promise<readonly number[]>): Promise<void> {
    const view = this.#views.get(key);
    const now = steadyMs();
    if (!view || now - view.expectedAt < expectEveryMs) return;
    view.expectedAt = now;
    // What is wrong with the state store is told to who asks it for more than this.
    const found = await candidates().catch(() => []);
    for (const id of found.slice(0, mostComing)) if (!view.entries.has(id)) view.coming.add(id);
    if (view.coming.size) this.#schedule();
  }

  #viewOf<Answer>({ key, weight, most, ahead, grow, readAgain }: Question<Answer>): View {
    const known = this.#views.get(key);
    const view = known ?? {
      key,
      question: { weight, most, ahead: ahead ?? false, ...(grow && { grow: grow as Growing<unknown> }), readAgain },
      entries: new Map(),
      coming: new Set(),
      askedAt: 0,
      expectedAt: -Infinity,
      freshening: undefined,
    };
    view.askedAt = steadyMs();
    // The one asked for last comes last.
    this.#views.delete(key);
    this.#views.set(key, view);
    return view;
  }

  async #read(
    view: View,
    ids: readonly number[],
    read: Question<unknown>['readAgain'],
  ): Promise<ReadonlyMap<number, unknown>> {
    const readAt = steadyMs();
    const reading: Reading = { fromMs: readAt, changed: new Set(), forgotten: new Set(), isMissed: false };
    this.#readings.add(reading);
    try {
      const answers = await read(ids);
      const caughtUp = new Map<number, number>();
      for (const id of ids) {
        const before = view.entries.get(id);
        if (reading.isMissed || reading.forgotten.has(id) || (before && before.readAt > readAt)) continue;
        const isChanged = reading.changed.has(id);
        if (isChanged) this.#schedule();
        const [answer, untilMs, askedAt] = [answers.get(id), steadyMs(), before?.askedAt ?? readAt];
        this.#put(view, id, { answer, readAt, untilMs, askedAt, isChanged, lag: undefined });
        if (!isChanged && before?.lag?.isGivenOut) caughtUp.set(id, before.lag.projectId);
      }
      this.#tell(caughtUp);
      return answers;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /** To who was given less than this, with the project of each issue. */
  #tell(issues: ReadonlyMap<number, number>): void {
    for (const [projectId, some] of Map.groupBy(issues, ([, project]) => project)) {
      this.#live.publish({ type: 'issues', projectId, issueIds: some.map(([id]) => id), sameEvents: true });
    }
  }

  #put(view: View, id: number, entry: Entry): void {
    // It may have been given up meanwhile.
    if (this.#views.get(view.key) !== view) return;
    if (!view.entries.has(id)) this.#weight += view.question.weight;
    view.entries.set(id, entry);
    for (const [key, oldest] of this.#views) {
      if (this.#weight <= maxWeight) return;
      for (const other of oldest.entries.keys()) {
        if (this.#weight <= maxWeight) break;
        this.#drop(oldest, other);
      }
      if (!oldest.entries.size) this.#views.delete(key);
    }
  }

  #drop(view: View, id: number): void {
    if (view.entries.delete(id)) this.#weight -= view.question.weight;
  }

  #change({ issueIds, projectId, gained: told }: Extract<LiveMessage, { type: 'events' }>): void {
    // Whose they are was chosen before that.
    const gained = told && told.fromMs > this.#movedAt ? told : undefined;
    const since = steadyMs() - lookedAtMs;
    let any = false;
    for (const id of issueIds) {
      for (const { changed, fromMs } of this.#readings) if (!hasAll(gained, fromMs)) changed.add(id);
      for (const { entries, coming, question, askedAt } of this.#views.values()) {
        const entry = entries.get(id);
        const room = Math.min(mostComing, question.most) - coming.size;
        if (entry) any = takeIn(entry, { id, projectId, gained, grow: question.grow }) || any;
        else if (question.ahead && askedAt > since && room > 0) any = Boolean(coming.add(id));
      }
    }
    if (any) this.#schedule();
  }

  #forget(issueIds: readonly number[]): void {
    this.#movedAt = steadyMs();
    for (const id of issueIds) {
      for (const { forgotten } of this.#readings) forgotten.add(id);
      for (const view of this.#views.values()) this.#drop(view, id);
    }
  }

  #forgetAll(): void {
    const known = [...this.#views.values()].flatMap(({ entries, coming }) => [...entries.keys(), ...coming]);
    this.#forget([...new Set(known)]);
    for (const reading of this.#readings) reading.isMissed = true;
  }

  #sweep(): void {
    const now = steadyMs();
    for (const [key, view] of this.#views) {
      for (const [id, { readAt }] of view.entries) if (now - readAt > oldMs) this.#drop(view, id);
      if (!view.entries.size) this.#views.delete(key);
    }
  }

  #schedule(): void {
    if (this.#timer || this.#isRunning) return;
    const inMs = Math.max(0, this.#notBefore - steadyMs());
    this.#timer = setTimeout(() => void this.#round(), inMs).unref();
  }

  async #round(): Promise<void> {
    this.#timer = undefined;
    this.#isRunning = true;
    const from = steadyMs();
    let read = 0;
    // Those of now: who asks meanwhile moves a question to the end.
    for (const view of [...this.#views.values()].toReversed()) {
      if (!isOutdated(view)) continue;
      if (read++ < mostQuestions) await this.#freshen(view);
      else for (const [id, { isChanged }] of view.entries) if (isChanged) this.#drop(view, id);
    }
    this.#notBefore = steadyMs() + Math.min(longestPauseMs, pauseFactor * (steadyMs() - from));
    this.#isRunning = false;
    if ([...this.#views.values()].some(isOutdated)) this.#schedule();
  }

  /** Of whoever caused it, nothing holds for what is read for all. */
  #freshen(view: View): Promise<void> {
    view.freshening ??= askedBy(undefined, () => this.#readChanged(view)).finally(() => (view.freshening = undefined));
    return view.freshening;
  }

  async #readChanged(view: View): Promise<void> {
    const { entries, coming, question } = view;
    const behind = [...entries].filter(([, { isChanged, lag }]) => isChanged || lag);
    const again = [...coming, ...lookedAt(view, behind)].slice(-question.most);
    coming.clear();
    const kept = new Set(again);
    for (const [id, { isChanged }] of behind) if (isChanged && !kept.has(id)) this.#drop(view, id);
    if (!again.length) return;
    try {
      await this.#read(view, again, question.readAgain);
    } catch {
      // Who asks next waits for the engine, and hears what is wrong with it.
      for (const id of again) this.#drop(view, id);
    }
  }
}

/** What lags and is not looked at may wait for who asks. */
const isOutdated = (view: View): boolean =>
  view.coming.size > 0 ||
  view.entries.values().some(({ isChanged }) => isChanged) ||
  lookedAt(
    view,
    [...view.entries].filter(([, { lag }]) => lag),
  ).length > 0;

/** Those asked for last at the end. */
function lookedAt(view: View, entries: readonly (readonly [number, Entry])[]): number[] {
  const since = steadyMs() - lookedAtMs;
  return entries.filter(([, { askedAt }]) => (view.question.ahead ? view.askedAt : askedAt) > since).map(([id]) => id);
}
