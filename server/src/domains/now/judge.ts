/**
 * The one sentence of the page Now: is something wrong, and what changed. Pure, so that every case is a test.
 *
 * What is worse is said first and decides the level; at most three things are said, the page shows the rest.
 */
import { now as texts } from '../../base/texts/health.ts';
import { type IntakeTrouble, refusedText } from '../outcomes/index.ts';
import type { LatestChange } from '../releases/index.ts';
import type { Facts, Hotspot, IssueCounts, Level, Part, Verdict } from './types.ts';

/** So many times the usual hour is worth a word, so many trouble. */
const raised = 2;
const alarming = 4;
/** Below this many an hour nothing is called unusual. */
const least = 20;
const maxSaid = 3;

interface Said {
  readonly level: Exclude<Level, 'empty'>;
  readonly parts: readonly Part[];
}

export function judge(facts: Facts): Verdict {
  if (!facts.begun) return { level: 'empty', parts: [{ text: texts.empty }] };
  const said = [
    ...raisedAlerts(facts),
    ...alarms(facts.intake),
    ...unusual(facts),
    ...crashing(facts),
    ...escalating(facts),
    ...freshIssues(facts),
    ...regressed(facts),
    ...faults(facts.intake),
  ];
  const level = said.some((one) => one.level === 'trouble') ? 'trouble' : said.length ? 'attention' : 'calm';
  const worstFirst = [
    ...said.filter((one) => one.level === 'trouble'),
    ...said.filter((one) => one.level !== 'trouble'),
  ];
  const parts = level === 'calm' ? calm(facts) : joined(worstFirst.slice(0, maxSaid).map((one) => one.parts));
  return { level, parts: sentence(parts) };
}

/** As a text, for who reads it elsewhere than on the page. */
export const textOf = ({ parts }: Verdict): string => parts.map((part) => part.text).join('');

function raisedAlerts({ alerts }: Facts): Said[] {
  const [first] = alerts;
  if (!first) return [];
  const critical = alerts.some(({ state }) => state === 'critical');
  const text = alerts.length === 1 ? texts.alert(first.name, first.state) : texts.alerts(alerts.length);
  return [{ level: critical ? 'trouble' : 'attention', parts: [{ text, link: { kind: 'alerts' } }] }];
}

/** No news is only good news while there usually is some. */
const alarms = (intake: readonly IntakeTrouble[]): Said[] =>
  intake.filter(({ weight }) => weight === 'alarm').map((one) => ({ level: 'trouble', parts: intakeParts(one) }));

/** What is rejected as usual is no news at all. */
const faults = (intake: readonly IntakeTrouble[]): Said[] =>
  intake.filter(({ weight }) => weight === 'fault').map((one) => ({ level: 'attention', parts: intakeParts(one) }));

function intakeParts(one: IntakeTrouble): readonly Part[] {
  const link = { kind: 'health' } as const;
  switch (one.kind) {
    case 'lag':
      return [{ text: texts.lag(one.ms), link }];
    case 'silent':
      return [
        { text: texts.silentSince, link },
        { text: texts.moment(one.sinceMs), at: one.sinceMs },
        { text: texts.usualPerHour(Math.round(one.usualPerHour)) },
      ];
    case 'refused':
      return [{ text: refusedText(one), link }];
  }
}

/** What is not well, as a sentence of its own. */
export const intakeText = (one: IntakeTrouble): string =>
  textOf({ level: 'trouble', parts: sentence(intakeParts(one)) });

const timesUsual = ({ count, usual }: Pick<Hotspot, 'count' | 'usual'>): number => count / Math.max(usual, 1);

/** The whole where it is raised, with the place that is raised most; else that place alone. */
function unusual({ errorsLastHour, usualPerHour, hotspots }: Facts): Said[] {
  const all = timesUsual({ count: errorsLastHour, usual: usualPerHour });
  const place = hotspots
    .filter(({ count, transaction }) => count >= least && transaction !== '')
    .toSorted((a, b) => timesUsual(b) * Math.log(b.count) - timesUsual(a) * Math.log(a.count))[0];
  const onPlace = place && timesUsual(place) >= raised ? place : undefined;
  if (errorsLastHour < least || (all < raised && !onPlace)) return [];
  const shown = onPlace ? timesUsual(onPlace) : all;
  // A place that is new has no usual: how many says more than how many times nothing.
  const isNew = onPlace !== undefined && onPlace.usual < 0.5;
  const text = isNew
    ? texts.errorsInHour(onPlace.count, onPlace.estimate !== undefined)
    : texts.errorsTimesUsual(shown);
  const parts: Part[] = [{ text, link: { kind: 'issues', query: 'is:unresolved' } }];
  if (onPlace) {
    const { transaction, projectId } = onPlace;
    parts.push({ text: texts.on }, { text: transaction, link: { kind: 'transaction', transaction, projectId } });
  }
  return [{ level: shown >= alarming ? 'trouble' : 'attention', parts }];
}

/** So many sessions say something about their share of crashes. */
const fewSessions = 100;
const worse = 0.005;
const muchWorse = 0.02;

function crashing({ sessions: { count, crashFree, crashFreeBefore } }: Facts): Said[] {
  if (crashFree === undefined || crashFreeBefore === undefined || count < fewSessions) return [];
  const lost = crashFreeBefore - crashFree;
  if (lost < worse) return [];
  const text = texts.crashFree(crashFree, crashFreeBefore);
  return [{ level: lost >= muchWorse ? 'trouble' : 'attention', parts: [{ text, link: { kind: 'releases' } }] }];
}

function escalating({ counts }: Facts): Said[] {
  if (!counts.escalating) return [];
  const text = texts.escalating(counted(counts.escalating, counts, texts.issue));
  return [{ level: 'trouble', parts: [{ text, link: { kind: 'issues', query: 'is:escalating' } }] }];
}

function regressed({ counts }: Facts): Said[] {
  if (!counts.regressed) return [];
  const text = texts.regressed(counted(counts.regressed, counts, texts.issue));
  return [{ level: 'attention', parts: [{ text, link: { kind: 'issues', query: 'is:regressed' } }] }];
}

function freshIssues({ counts, change, nowMs }: Facts): Said[] {
  const since = change && nowMs - change.at < recentMs ? change : undefined;
  const count = since ? counts.sinceChange : counts.fresh;
  if (!count) return [];
  const first: Part = {
    text: `${counted(count, counts, texts.newIssue)}${since ? '' : texts.inLastDay}`,
    link: {
      kind: 'issues',
      query: since ? `is:unresolved firstSeen:>=${new Date(since.at).toISOString().slice(0, 19)}Z` : 'is:new age:-24h',
    },
  };
  return [{ level: 'attention', parts: since ? [first, { text: texts.since }, ...named(since)] : [first] }];
}

/** A change that is older is no longer what people think of when something is new. */
const recentMs = 3 * 86_400_000;

function calm({ change, errorsLastHour, usualPerHour, nowMs }: Facts): readonly Part[] {
  const since: Part[] = change && nowMs - change.at < recentMs ? [{ text: texts.since }, ...named(change)] : [];
  const isUsual = errorsLastHour > 0 && errorsLastHour <= Math.max(usualPerHour * raised, least) && usualPerHour >= 0.5;
  const errors = `${texts.between}${texts.errorsLastHour(errorsLastHour)}${isUsual ? texts.asUsual : ''}`;
  return [{ text: texts.calm }, ...since, { text: errors }];
}

function named({ kind, version, name, at }: LatestChange): Part[] {
  return [
    { text: `${kind} ` },
    { text: name, link: { kind: 'release', version } },
    { text: ' ' },
    { text: texts.moment(at), at },
  ];
}

const joined = (said: readonly (readonly Part[])[]): Part[] =>
  said.flatMap((parts, index) => (index ? [{ text: texts.between }, ...parts] : [...parts]));

/** With a capital and a full stop. */
function sentence(parts: readonly Part[]): Part[] {
  return [...parts.map((part, index) => (index ? part : { ...part, text: capital(part.text) })), { text: '.' }];
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const counted = (count: number, { more }: IssueCounts, word: string): string => texts.atLeast(count, more, word);
