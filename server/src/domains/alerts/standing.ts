/**
 * Where a node stands with an organisation's rules, and what is due for it. Pure.
 *
 *     stranger ── asked: ours ──► holder ── half of the lease is over ──► late ── asked: ours, or written ──► holder
 *        ▲ asked: another's, or lost ─┴──────────────────────────────────────┘
 *
 * A stranger and one that is late ask for the lease before they look; whoever is refused does not look.
 */
import type { Lease } from './lease.ts';
import { isDue } from './metric/look.ts';
import type { IssueRule, MetricRule, Rule, RuleState } from './types.ts';

export type Standing = 'stranger' | 'holder' | 'late';

export type LeaseEvent = 'taken' | 'refused' | 'half_over' | 'written' | 'lost';

export const machine: Readonly<Record<Standing, Readonly<Record<LeaseEvent, Standing | 'ignored'>>>> = {
  stranger: { taken: 'holder', refused: 'ignored', half_over: 'ignored', written: 'ignored', lost: 'ignored' },
  holder: { taken: 'holder', refused: 'stranger', half_over: 'late', written: 'holder', lost: 'stranger' },
  late: { taken: 'holder', refused: 'stranger', half_over: 'ignored', written: 'holder', lost: 'stranger' },
};

export function decide(standing: Standing, event: LeaseEvent): Standing {
  const next = machine[standing][event];
  return next === 'ignored' ? standing : next;
}

/** Whether the lease has to be asked for before a look. */
export const mustAsk = (standing: Standing): boolean => standing !== 'holder';

/** Also one from a clock that has been put back. */
export const isHalfOver = ({ until }: Lease, leaseMs: number, nowMs: number): boolean =>
  until - nowMs <= leaseMs / 2 || until - nowMs > leaseMs;

/** What is written in a transaction that takes so long to commit is not missed. */
const overlapMs = 60_000;
/** What happened while nobody looked is told when it is not older than that. */
const latestMs = 3_600_000;

/** From when on what happened is read. */
export const readSince = ({ readUntil }: Lease, nowMs: number): number =>
  Math.max(readUntil - overlapMs, nowMs - latestMs);

/** How far was read is written down now and then, also where nothing was found. */
export const isPlaceOld = (readUntil: number, leaseMs: number, nowMs: number): boolean =>
  nowMs - readUntil > leaseMs / 2 || readUntil > nowMs;

type States = ReadonlyMap<number, RuleState>;

/** Metric rules in one look; the rest follows in the next. */
const maxMetrics = 120;

/** Those that were looked at longest ago first. */
export const dueMetrics = (rules: readonly Rule[], states: States, nowMs: number): MetricRule[] =>
  rules
    .filter((rule): rule is MetricRule => rule.kind === 'metric' && isDue(rule, states.get(rule.id), nowMs))
    .toSorted((a, b) => (states.get(a.id)?.evaluatedAt ?? 0) - (states.get(b.id)?.evaluatedAt ?? 0))
    .slice(0, maxMetrics);

/** Rules that gathered firings for long enough. `gathering`: ids of those that gathered any. */
export const dueFlushes = (
  rules: readonly IssueRule[],
  gathering: ReadonlySet<number>,
  states: States,
  nowMs: number,
): IssueRule[] =>
  rules.filter((rule) => {
    const messageAt = states.get(rule.id)?.messageAt;
    const isOver = messageAt == null || messageAt > nowMs || nowMs - messageAt >= rule.digestMinutes * 60_000;
    return gathering.has(rule.id) && isOver;
  });
