/**
 * The fingerprint rule that would keep the events of an issue together: a pure function of sample events. Joined hashes
 * teach nothing about hashes to come; what all events have in common does.
 */
import type { Event, Exception, Frame } from '../../process/steps/event.ts';
import { algorithmOf, type GroupingSettings, parseFingerprintRules } from '../../process/steps/group/index.ts';
import { findRule } from '../../process/steps/group/match-fingerprint-rules.ts';
import { suggestions } from '../../base/texts/grouping.ts';

export interface Suggestion {
  /** One line; null where there is none. */
  readonly rule: string | null;
  /** What the rule goes by, or why there is none, in words. */
  readonly why: string;
}

export interface Samples {
  /** An event of each hash of the issue. */
  readonly own: readonly Event[];
  /** Of other issues, with the issue of each. */
  readonly others: readonly { readonly issueId: number; readonly event: Event }[];
}

/** Other issues that a rule may take in as well. */
const maxOthers = 2;
/** Letters of a message that must be the same. */
const leastShared = 8;
const maxPattern = 200;

const { parts } = suggestions;

interface Candidate {
  readonly matchers: readonly string[];
  readonly words: readonly string[];
  readonly names: readonly string[];
}

export function suggestRule({ own, others }: Samples, settings: GroupingSettings): Suggestion {
  if (own.length < 2) return { rule: null, why: suggestions.oneKind };
  const candidates = candidatesOf(own, settings.version);
  let isBroad = false;
  let best: { line: string; words: readonly string[]; others: number } | undefined;
  for (const { matchers, words, names } of candidates) {
    const line = `${matchers.join(' ')} -> ${entryOf(names)}`;
    const { rules, problems } = parseFingerprintRules(`${settings.fingerprintRules}\n${line}`);
    const rule = rules.at(-1);
    if (rule?.text !== line || problems.some((problem) => problem.line === rule.line)) continue;
    // Rules that stand before it come first, as they would when it is saved.
    if (!own.every((event) => findRule(rules, event) === rule)) continue;
    const taken = new Set(others.flatMap(({ issueId, event }) => (findRule(rules, event) === rule ? [issueId] : [])));
    if (taken.size > maxOthers) isBroad = true;
    else if (!best || taken.size < best.others) best = { line, words, others: taken.size };
    if (best?.others === 0) break;
  }
  if (best) {
    return { rule: best.line, why: suggestions.shared(best.words, best.others) };
  }
  return {
    rule: null,
    why: isBroad ? suggestions.tooBroad : suggestions.tooDifferent,
  };
}

/** The most telling first. */
function candidatesOf(events: readonly Event[], version: string): Candidate[] {
  const mains = events.map(mainOf);
  const type = common(mains.map((main) => main?.type));
  const frames = events.map(framesOf);
  const crash = frames.map((list) => list.findLast((frame) => frame.in_app) ?? list.at(-1));
  const fn = common(crash.map((frame) => named(frame?.function)));
  const module = common(crash.map((frame) => frame?.module));
  const anywhere = fn === undefined ? sharedFunction(frames) : undefined;
  const messages = events.map((event, index) => textOf(event, mains[index]));
  const pattern = messagePattern(messages.map((text) => algorithmOf(version).messageValue(text)));
  const byType = type === undefined ? [] : [`error.type:${quoted(type)}`];
  const typeWords = type === undefined ? [] : [parts.type(type)];
  const candidates: Candidate[] = [];
  const add = (matchers: readonly string[], words: readonly string[], names: readonly (string | undefined)[]): void =>
    void candidates.push({ matchers, words, names: names.flatMap((name) => name ?? []) });
  const message = pattern && { matcher: `message:${pattern}`, words: parts.message(pattern) };
  if (fn !== undefined) {
    const matcher = `stack.function:${quoted(fn)}`;
    add([...byType, matcher], [...typeWords, parts.function(fn)], [type, fn]);
    if (message)
      add([...byType, matcher, message.matcher], [...typeWords, parts.function(fn), message.words], [type, fn]);
  }
  if (module !== undefined && type !== undefined) {
    add([...byType, `stack.module:${quoted(module)}`], [...typeWords, parts.module(module)], [type, module]);
  }
  if (message) add([...byType, message.matcher], [...typeWords, message.words], [type, pattern]);
  if (anywhere !== undefined) {
    const matcher = `stack.function:${quoted(anywhere)}`;
    add([...byType, matcher], [...typeWords, parts.functionOfStacks(anywhere)], [type, anywhere]);
  }
  return candidates;
}

/** Undefined unless all are the same and there. */
function common(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values;
  return first !== undefined && first !== '' && values.every((value) => value === first) ? first : undefined;
}

/** Names that a minifier made say nothing. */
const named = (name: string | undefined): string | undefined =>
  name !== undefined && name.length > 2 && !name.startsWith('<') ? name : undefined;

/** The one nearest to the crash that is in every stack as the project's own code. */
function sharedFunction(stacks: readonly (readonly Frame[])[]): string | undefined {
  const [first = [], ...rest] = stacks;
  const others = rest.map((stack) => new Set(stack.map((frame) => frame.function)));
  const shared = first.findLast(
    (frame) =>
      frame.in_app && named(frame.function) !== undefined && others.every((names) => names.has(frame.function)),
  );
  return shared?.function;
}

const mainOf = (event: Event): Exception | undefined => event.exception?.values.at(-1);

const framesOf = (event: Event): readonly Frame[] =>
  mainOf(event)?.stacktrace?.frames ??
  event.stacktrace?.frames ??
  event.threads?.values.find(({ stacktrace }) => stacktrace)?.stacktrace?.frames ??
  [];

const textOf = (event: Event, main: Exception | undefined): string =>
  main?.value ?? event.logentry?.formatted ?? event.logentry?.message ?? '';

/** What the messages begin and end with, a star between, in quotes; undefined where that is too little. */
function messagePattern(messages: readonly string[]): string | undefined {
  const [first = '', ...rest] = messages;
  let prefix = first.length;
  let suffix = first.length;
  for (const message of rest) {
    prefix = Math.min(prefix, sharedPrefix(first, message));
    suffix = Math.min(suffix, sharedPrefix(reversed(first), reversed(message)));
  }
  const begin = first.slice(0, Math.min(prefix, maxPattern));
  const shared =
    prefix === first.length ? '' : first.slice(Math.max(prefix, first.length - Math.min(suffix, maxPattern)));
  // The end of what replaces a value in the one and another kind of value in the other.
  const end = shared.replace(/^\w*>/, '');
  // What replaces values in a message shape stands for any text.
  const parts = `${begin}${prefix === first.length && rest.every((one) => one === first) ? '' : '\0'}${end}`;
  const glob = parts
    .split(/<\w*>?|\0|\.\.\.$/)
    .map(plain)
    .join('*')
    .replaceAll(/\*[*\s]*\*/g, '*');
  const letters = glob.replaceAll(/[^\p{L}]/gu, '');
  return letters.length < leastShared ? undefined : `"${glob}"`;
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

const reversed = (text: string): string => [...text].toReversed().join('');

/** Characters that mean something in a glob or in quotes stand for any one. */
const plain = (text: string): string => text.toWellFormed().replaceAll(/[*?[\]{}"\\\p{Cc}\uFFFD]/gu, '?');

const quoted = (text: string): string => {
  const glob = plain(text.slice(0, maxPattern));
  return /^[\w.$/-]+$/.test(glob) ? glob : `"${glob}"`;
};

/** A short name of the issue: people read it, and it must be a rule's alone. */
function entryOf(names: readonly string[]): string {
  const slug = names
    .join('-')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '');
  return slug || 'merged';
}
