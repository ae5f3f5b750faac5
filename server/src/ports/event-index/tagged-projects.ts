/** Of each project when its newest event with a digest was, ms since the epoch. */
import type { Database } from 'lmdb';

/** Deleted events may have been the only ones. */
const unsure = -1;
/** What is written of it may be so much older than what is so. */
const coarseMs = 3_600_000;
const prefix = 'digest ';

export class TaggedProjects {
  #facts: Database<unknown, string>;
  readonly #newest = new Map<number, number>();

  constructor(facts: Database<unknown, string>) {
    this.#facts = facts;
    for (const [id, at] of tagsIn(facts)) this.#newest.set(id, at);
  }

  /** Where it is written from now on; what stands there of it may be older. */
  async moveTo(facts: Database<unknown, string>): Promise<void> {
    const there = new Map(tagsIn(facts));
    await Promise.all([
      ...[...this.#newest].map(([id, at]) => there.get(id) === at || facts.put(prefix + id, at)),
      ...[...there.keys()].map((id) => this.#newest.has(id) || facts.remove(prefix + id)),
    ]);
    this.#facts = facts;
  }

  note(projectId: number, at: number): void {
    const known = this.#newest.get(projectId) ?? unsure;
    if (at <= known) return;
    const written = Number(this.#facts.get(prefix + projectId) ?? unsure);
    this.#newest.set(projectId, at);
    if (at >= written + coarseMs) void this.#facts.put(prefix + projectId, at);
  }

  /** Some of its events, or all of them, are deleted. */
  async forget(projectId: number, isWhole: boolean): Promise<void> {
    if (!this.#newest.has(projectId)) return;
    if (isWhole) {
      this.#newest.delete(projectId);
      await this.#facts.remove(prefix + projectId);
    } else {
      this.#newest.set(projectId, unsure);
      await this.#facts.put(prefix + projectId, unsure);
    }
  }

  /** None of its events before `at` is there any more. */
  async forgetBefore(at: number, projectId: number): Promise<void> {
    const newest = this.#newest.get(projectId) ?? unsure;
    if (newest !== unsure && newest < at) await this.forget(projectId, true);
  }

  /** Undefined where that is not known. */
  any(projectIds: readonly number[], since: number): boolean | undefined {
    const newest = projectIds.map((id) => this.#newest.get(id));
    if (newest.some((at) => at !== undefined && at >= since)) return true;
    return newest.includes(unsure) ? undefined : false;
  }
}

function* tagsIn(facts: Database<unknown, string>): Generator<[project: number, at: number]> {
  for (const { key, value } of facts.getRange({ start: prefix, end: `${prefix}~` }))
    yield [Number(key.slice(prefix.length)), Number(value)];
}
