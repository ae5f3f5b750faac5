/**
 * Keeps the truth when a project sends far more errors than usual, or processing is behind: new bugs are stored, repeated
 * ones sampled and counted. Outside a storm an event costs a look at its project.
 */
import { type CheapEvent, readCheapEvent } from './cheap-key.ts';
import { createStormGroups, type Gatherable } from './groups.ts';
import { hasReason, nextStorm, type StormState } from './state.ts';

export interface StormOptions {
  /** Errors a second in the busier minutes of each project; left out where the events store cannot be asked. */
  readonly usualRates?: (() => Promise<Rates>) | undefined;
  /** Whether what was received waits to be processed for longer than some seconds, here or on the nodes that process. */
  readonly isBehind: () => Promise<boolean>;
  /** Where several nodes receive: what each of them gets counts for all. */
  readonly shareRates?: ShareRates | undefined;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** By project, events a second. */
export type Rates = ReadonlyMap<number, number>;

export interface SharedRates extends Disposable {
  /** Tells the other nodes what this one gets. */
  tell(rates: Rates): void;
  /** What the others get of a project. */
  ofOthers(projectId: number): number;
  /** Tells nodes that cannot ask. */
  tellUsual(rates: Rates): void;
  /** As another node has told. */
  usual(): Rates | undefined;
}

export type ShareRates = () => SharedRates;

export interface StormStats {
  /** Projects that are in a storm on this node. */
  readonly projects: number;
  /** Cheap keys that are known. */
  readonly keys: number;
  /** Groups that wait to be written. */
  readonly waiting: number;
}

export interface StormGuard extends Disposable {
  /** Counts an event; true while its project is in a storm. */
  note(projectId: number): boolean;
  read(payload: Uint8Array): CheapEvent | undefined;
  /** Undefined where the event is to be stored; else it is gathered, and this resolves when it is safe. */
  gather(event: Gatherable): Promise<unknown> | undefined;
  stats(): StormStats;
}

interface Project {
  state: StormState;
  /** Since the last look. */
  events: number;
  perSecond: number;
  quietSeconds: number;
}

const lookEveryMs = 1_000;
/** An average over ten seconds or so. */
const weightOfLast = 0.1;
const forgottenBelow = 0.05;
/** Told to other nodes from here on. */
const toldFrom = 1;
const usualEveryMs = 10 * 60_000;
/** Where it could not be asked. */
const usualAgainMs = 30_000;

export function openStormGuard(options: StormOptions): StormGuard {
  const { now = () => performance.now() } = options;
  const projects = new Map<number, Project>();
  const groups = createStormGroups(options);
  const shared = options.shareRates?.();
  let usual: Rates | undefined;
  let usualDue = 0;
  let toldDue = 0;
  let isBehind = false;

  function askUsual(): void {
    const { usualRates } = options;
    if (!usualRates) usual = shared?.usual();
    if (!usualRates || now() < usualDue) return;
    usualDue = now() + usualAgainMs;
    void readUsual(usualRates);
  }

  /** What cannot be asked is as it was. */
  async function readUsual(usualRates: () => Promise<Rates>): Promise<void> {
    const rates = await usualRates().catch(() => undefined);
    if (!rates) return;
    usual = rates;
    usualDue = now() + usualEveryMs;
  }

  async function lookBehind(): Promise<void> {
    isBehind = await options.isBehind().catch(() => isBehind);
  }

  function tellUsual(): void {
    if (!shared || !options.usualRates || !usual || now() < toldDue) return;
    toldDue = now() + usualAgainMs;
    shared.tellUsual(usual);
  }

  function look(): void {
    const told = new Map<number, number>();
    for (const [projectId, project] of projects) {
      project.perSecond += ((project.events * 1_000) / lookEveryMs - project.perSecond) * weightOfLast;
      project.events = 0;
      if (project.perSecond >= toldFrom) told.set(projectId, project.perSecond);
      const facts = {
        perSecond: project.perSecond + (shared?.ofOthers(projectId) ?? 0),
        usualPerSecond: usual && (usual.get(projectId) ?? 0),
        isBehind,
      };
      project.quietSeconds = hasReason(project.state, facts) ? 0 : project.quietSeconds + lookEveryMs / 1_000;
      project.state = nextStorm(project.state, { ...facts, quietSeconds: project.quietSeconds });
      if (project.state === 'calm' && project.perSecond < forgottenBelow) projects.delete(projectId);
    }
    if (told.size > 0) shared?.tell(told);
    tellUsual();
    if (projects.size === 0 && (!shared || usual)) return;
    askUsual();
    void lookBehind();
  }

  const timer = setInterval(look, lookEveryMs).unref();
  return {
    note(projectId) {
      let project = projects.get(projectId);
      if (!project) {
        projects.set(projectId, (project = { state: 'calm', events: 0, perSecond: 0, quietSeconds: 0 }));
      }
      project.events++;
      return project.state === 'storm';
    },
    read: readCheapEvent,
    gather: (event) => groups.gather(event),
    stats: () => ({
      projects: projects.values().reduce((sum, { state }) => sum + (state === 'storm' ? 1 : 0), 0),
      ...groups.stats(),
    }),
    [Symbol.dispose]() {
      clearInterval(timer);
      groups.flush();
      shared?.[Symbol.dispose]();
    },
  };
}
