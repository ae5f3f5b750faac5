/** How one stored event is grouped, with the rules of its project that had a say. */
import type { Event, Exception, Stacktrace } from '../../process/steps/event.ts';
import {
  compileGrouping,
  groupEvent,
  type GroupedEvent,
  type GroupingConfig,
  type GroupingSettings,
} from '../../process/steps/group/index.ts';
import { findRule } from '../../process/steps/group/match-fingerprint-rules.ts';
import { applyStackTraceRules } from '../../process/steps/group/stack-trace-effects.ts';
import { names } from '../../base/texts/grouping.ts';

export interface MatchedRule {
  readonly kind: 'fingerprint' | 'stackTrace' | 'built-in';
  readonly text: string;
  /** From 1; null for built-in ones. */
  readonly line: number | null;
}

export interface Explained {
  readonly grouped: GroupedEvent;
  readonly rules: readonly MatchedRule[];
}

export function explainEvent(event: Event, settings: GroupingSettings): Explained {
  const config = compileGrouping(settings);
  const grouped = groupEvent(event, config);
  const builtIn = grouped.grouping.tree.find(({ id, name }) => id === 'fingerprint' && name === names.builtInRule);
  const rules: MatchedRule[] = builtIn ? [{ kind: 'built-in', text: builtIn.why ?? '', line: null }] : [];
  const fingerprint = findRule(config.fingerprintRules, event);
  if (fingerprint) rules.push({ kind: 'fingerprint', text: fingerprint.text, line: fingerprint.line });
  return { grouped, rules: [...rules, ...stackTraceRulesOf(event, config)] };
}

/** In the order of the text, each once. */
function stackTraceRulesOf(event: Event, { stackTraceRules }: GroupingConfig): MatchedRule[] {
  if (!stackTraceRules.length) return [];
  const used = new Map<number, string>();
  for (const [stack, exception] of stacksOf(event)) {
    const { frames, max, min } = applyStackTraceRules(stackTraceRules, stack, event.platform, exception);
    const all = [...frames.flatMap((frame) => [frame?.app, frame?.group]), max, min];
    for (const effect of all) if (effect) used.set(effect.rule.line, effect.rule.text);
  }
  return [...used]
    .toSorted(([a], [b]) => a - b)
    .map(([line, text]): MatchedRule => ({ kind: 'stackTrace', text, line }));
}

function stacksOf(event: Event): [Stacktrace, Exception | undefined][] {
  const stacks: [Stacktrace, Exception | undefined][] = [];
  for (const exception of event.exception?.values ?? []) {
    if (exception.stacktrace) stacks.push([exception.stacktrace, exception]);
  }
  for (const { stacktrace } of event.threads?.values ?? []) if (stacktrace) stacks.push([stacktrace, undefined]);
  if (event.stacktrace) stacks.push([event.stacktrace, undefined]);
  return stacks;
}
