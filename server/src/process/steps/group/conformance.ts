/** Published cases of grouping, of any folder of their shape, held against ours. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Event } from '../event.ts';
import { asObject, asText } from '../json.ts';
import { makeEvent } from '../make-event.ts';
import { issueSeed } from '../title.ts';
import { compileGrouping, type GroupingConfig } from './config.ts';
import { resolveFingerprint } from './fingerprint.ts';
import { readEvent } from './group.ts';
import { algorithmOf, groupEvent } from './index.ts';
import type { Part } from './frame.ts';
import { defaultGroupingSettings } from './settings.ts';
import { frameCounts, type StackFrame, stackParts } from './stack.ts';
import { decide } from './strategies.ts';

export interface CaseResult {
  readonly id: string;
  readonly passed: boolean;
  /** What was wanted and what was found. */
  readonly why?: string;
}

export type CaseSets = Record<string, readonly CaseResult[]>;

interface ExpectedPart {
  readonly value?: string;
  readonly contributes?: boolean;
}
type StackUsed = 'app' | 'system' | 'none';
type PartName = 'module' | 'filename' | 'function' | 'context_line';
type ExpectedFrame = Readonly<Partial<Record<PartName, ExpectedPart>>> & {
  readonly contributes_app?: boolean;
  readonly contributes_system?: boolean;
};
interface EventCase {
  readonly id: string;
  readonly input: unknown;
  readonly expected: {
    readonly basis: string;
    readonly stack_used: StackUsed;
    readonly stacktraces?: readonly ({ readonly frames: readonly ExpectedFrame[] } | null)[];
  };
}
interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}
interface Side {
  readonly event: string;
  readonly patch: readonly Operation[];
}
interface PairCase {
  readonly id: string;
  readonly expect: 'same' | 'different';
  readonly a: Side;
  readonly b: Side;
}
interface OwnPair {
  readonly id: string;
  readonly expect: 'same' | 'different';
  readonly a: unknown;
  readonly b: unknown;
}
interface RuleCase {
  readonly id: string;
  readonly rules: readonly {
    readonly matchers: readonly (readonly [string, string])[];
    readonly fingerprint: readonly string[];
    readonly attributes?: { readonly title?: string };
  }[];
  readonly input: unknown;
  readonly expected: {
    readonly event_fingerprint: readonly string[] | null;
    readonly resolved: readonly string[] | null;
    readonly title: string;
  };
}
interface TextCase {
  readonly id: string;
  readonly input: string;
  readonly expected: string;
  readonly optional?: boolean;
}

/** Names a file whose cases could not be run. */
type OnUnreadable = (path: string, error: unknown) => void;

const rethrow: OnUnreadable = (_path, error) => {
  throw error;
};

/**
 * All of `grouping/`: the events as one set for what decides, one for frames and one for their parts, and each file of
 * other cases by its name. What the cases of a file are is told by their shape.
 */
export function groupingSets(folder: string, onUnreadable = rethrow): CaseSets {
  const sets: Record<string, readonly CaseResult[]> = {};
  const tryFile = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      onUnreadable(path, error);
    }
  };
  const events: EventCase[] = [];
  const basis: CaseResult[] = [];
  const frames: CaseResult[] = [];
  const parts: CaseResult[] = [];
  for (const path of jsonFiles(join(folder, 'events'))) {
    tryFile(path, () => {
      const one = JSON.parse(readFileSync(path, 'utf8')) as EventCase;
      events.push(one);
      basis.push(checkBasis(one));
      frames.push(...checkFrames(one));
      parts.push(...checkParts(one));
    });
  }
  if (basis.length > 0) {
    sets['grouping/events'] = basis;
    sets['grouping/events (frames)'] = frames;
    sets['grouping/events (parts)'] = parts;
  }
  const inputs = new Map(events.map(({ id, input }) => [id, input]));
  for (const path of jsonFiles(folder)) {
    tryFile(path, () => void (sets[`grouping/${basename(path)}`] = readCases(path).map((one) => check(one, inputs))));
  }
  return sets;
}

/** A case that cannot be run is a miss: the others of its file count. */
function check(one: unknown, inputs: ReadonlyMap<string, unknown>): CaseResult {
  try {
    return checkByShape(one, inputs);
  } catch (error) {
    return { id: asText(asObject(one)?.['id']) ?? '', passed: false, why: String(error) };
  }
}

function checkByShape(one: unknown, inputs: ReadonlyMap<string, unknown>): CaseResult {
  const shape = asObject(one);
  if (shape && 'rules' in shape && 'input' in shape) return checkRules(one as RuleCase);
  const a = asObject(shape?.['a']);
  if (a && typeof a['event'] === 'string') return checkPair(one as PairCase, inputs);
  if (a) return checkOwnPair(one as OwnPair);
  throw new Error('the case has an unknown shape');
}

/** All of `parameterization/`, by file; each text also within others. */
export function parameterizationSets(folder: string, onUnreadable = rethrow): CaseSets {
  const sets: Record<string, readonly CaseResult[]> = {};
  for (const path of jsonFiles(folder)) {
    try {
      const cases = readCases(path) as readonly TextCase[];
      sets[`parameterization/${basename(path)}`] = cases.filter(({ optional }) => !optional).map(checkText);
    } catch (error) {
      onUnreadable(path, error);
    }
  }
  return sets;
}

function checkText({ id, input, expected }: TextCase): CaseResult {
  const { messageValue } = algorithmOf(defaultGroupingSettings.version);
  for (const [before, after] of [
    ['', ''],
    ['prefix ', ''],
    ['', ' suffix'],
    ['prefix ', ' suffix'],
  ] as const) {
    const found = messageValue(before + input + after);
    if (found !== before + expected + after) return differs(id, before + expected + after, found);
  }
  return { id, passed: true };
}

function jsonFiles(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.toSorted().map((name) => join(folder, name));
}

function readCases(path: string): readonly unknown[] {
  return (JSON.parse(readFileSync(path, 'utf8')) as { cases: readonly unknown[] }).cases;
}

const differs = (id: string, wanted: unknown, found: unknown): CaseResult => {
  const why = `wanted ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`;
  return { id, passed: false, why };
};

function configOf(input: unknown): GroupingConfig {
  const stackTraceRules = asText(asObject(asObject(input)?.['_grouping'])?.['enhancements']) ?? '';
  return compileGrouping({ ...defaultGroupingSettings, stackTraceRules });
}

function read(input: unknown) {
  const event = makeEvent(input);
  const config = configOf(input);
  const reading = readEvent(event, algorithmOf(config.version), config);
  return { event, config, reading, ...decide(event, reading) };
}

/** Frames that nobody marked may be our own code here and foreign code there: the hash of all code is the same. */
const isUntold = (input: unknown): boolean => !JSON.stringify(input).includes('"in_app"');

function checkBasis({ id, input, expected }: EventCase): CaseResult {
  const { event, config, decision } = read(input);
  const { basis } = groupEvent(event, config).grouping;
  const used = decision.stackUsed;
  const sameStack =
    used === expected.stack_used || (used === 'app' && expected.stack_used === 'system' && isUntold(input));
  if (basis === expected.basis && sameStack) return { id, passed: true };
  return differs(id, [expected.basis, expected.stack_used], [basis, used]);
}

interface ComparedFrame {
  readonly id: string;
  readonly wanted: ExpectedFrame;
  readonly found: StackFrame | undefined;
}

/** The frames of the stack that decides, as wanted and as found. */
function comparedFrames({ id, input, expected }: EventCase): { variant: 'app' | 'system'; frames: ComparedFrame[] } {
  if (expected.stack_used === 'none') return { variant: 'system', frames: [] };
  const { event, reading } = read(input);
  const stacks = [...(event.exception?.values ?? []), ...(event.threads?.values ?? []), event].flatMap(
    ({ stacktrace }) => stacktrace ?? [],
  );
  const frames = (expected.stacktraces ?? []).flatMap((wanted, index) => {
    const stack = stacks[index];
    const parts = stackParts(stack, event.platform, reading.algorithm, stack && reading.effects.get(stack));
    return (wanted?.frames ?? []).map((frame, place) => {
      return { id: `${id}/${index}/${place}`, wanted: frame, found: parts.frames[place] };
    });
  });
  return { variant: expected.stack_used, frames };
}

function checkFrames(one: EventCase): CaseResult[] {
  const { variant, frames } = comparedFrames(one);
  return frames.map(({ id, wanted, found }) => {
    const counts = found !== undefined && frameCounts(found, variant);
    return counts === wanted[`contributes_${variant}`] ? { id, passed: true } : differs(id, !counts, counts);
  });
}

/** The parts of frames that count on both sides. */
function checkParts(one: EventCase): CaseResult[] {
  const { variant, frames } = comparedFrames(one);
  return frames.flatMap(({ id, wanted, found }) => {
    if (!found || wanted[`contributes_${variant}`] !== true || !frameCounts(found, variant)) return [];
    const counted = (part: Part | undefined): string | null => (part && part.why === undefined ? part.value : null);
    const ours: Record<PartName, string | null> = {
      module: counted(found.module),
      filename: counted(found.filename),
      function: counted(found.function),
      context_line: counted(found.contextLine),
    };
    const theirs = Object.fromEntries(
      (Object.keys(ours) as PartName[]).map((name) => [
        name,
        wanted[name]?.contributes === true ? (wanted[name].value ?? null) : null,
      ]),
    );
    return [JSON.stringify(theirs) === JSON.stringify(ours) ? { id, passed: true } : differs(id, theirs, ours)];
  });
}

function relation(a: unknown, b: unknown): 'same' | 'different' {
  const [first, second] = [a, b].map((input) => groupEvent(makeEvent(input), configOf(input)).grouping.hashes);
  return first?.some((hash) => second?.includes(hash)) ? 'same' : 'different';
}

function checkPair({ id, expect, a, b }: PairCase, inputs: ReadonlyMap<string, unknown>): CaseResult {
  const [first, second] = [a, b].map(({ event, patch }) => applyPatch(inputs.get(event), patch));
  if (first === undefined || second === undefined) return { id, passed: false, why: 'its event is missing' };
  const found = [relation(first, second), relation(first, reversed(second))];
  return found.every((one) => one === expect) ? { id, passed: true } : differs(id, expect, found);
}

function checkOwnPair({ id, expect, a, b }: OwnPair): CaseResult {
  const found = relation(a, b);
  return found === expect ? { id, passed: true } : differs(id, expect, found);
}

/** The rules as somebody would write them. */
function writeRules(rules: RuleCase['rules']): string {
  return rules
    .map(({ matchers, fingerprint, attributes }) => {
      const keys = matchers.map(([key, pattern]) => `${key}:${JSON.stringify(pattern)}`);
      const title = attributes?.title === undefined ? [] : [`title=${JSON.stringify(attributes.title)}`];
      return [...keys, '->', ...fingerprint.map((entry) => JSON.stringify(entry)), ...title].join(' ');
    })
    .join('\n');
}

function checkRules({ id, rules, input, expected }: RuleCase): CaseResult {
  const settings = { ...defaultGroupingSettings, fingerprintRules: writeRules(rules) };
  const config = compileGrouping(settings);
  const event: Event = makeEvent(input);
  const { main, title } = groupEvent(event, config);
  const { kind, raw, entries } = resolveFingerprint(event, main, {
    algorithm: algorithmOf(config.version),
    rules: config.fingerprintRules,
  });
  const found = {
    event_fingerprint: raw.length > 0 ? raw : null,
    resolved: kind === 'custom' ? entries.map(({ value }) => value) : null,
    title: issueSeed(event, main, title).title,
  };
  const { event_fingerprint, resolved, title: wantedTitle } = expected;
  const wanted = { event_fingerprint, resolved, title: wantedTitle };
  return JSON.stringify(found) === JSON.stringify(wanted) ? { id, passed: true } : differs(id, wanted, found);
}

/** JSON Patch as far as the cases use it: add, replace, remove. */
function applyPatch(input: unknown, patch: readonly Operation[]): unknown {
  const copy: unknown = structuredClone(input);
  for (const { op, path, value } of patch) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], copy);
    if (Array.isArray(parent)) {
      const index = last === '-' ? parent.length : Number(last);
      if (op === 'add') parent.splice(index, 0, value);
      else if (op === 'remove') parent.splice(index, 1);
      else parent[index] = value;
    } else if (op === 'remove') delete (parent as Record<string, unknown>)[last];
    else (parent as Record<string, unknown>)[last] = value;
  }
  return copy;
}

/** The same JSON with every object's keys the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  const object = asObject(value);
  return object
    ? Object.fromEntries(
        Object.entries(object)
          .toReversed()
          .map(([key, entry]) => [key, reversed(entry)]),
      )
    : value;
}
