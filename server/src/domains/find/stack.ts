/**
 * From a stack trace, as a language prints it, to the events that have it: by the type and the message of its exceptions
 * and by the functions of its calls. Texts are compared that many events share, and the events are found by their number.
 */
import { readAnyStack, type StackException, type StackText } from '@culprit/stacktrace';
import { amongProjects, type SqlPart, where } from '../../base/sql.ts';
import type { Events } from '../../ports/events/events.ts';
import { findMatches, type Match, type MatchScope } from './matches.ts';

/** Of the calls; the innermost ones tell most. */
const maxFunctions = 40;
const maxTexts = 50;
/** What is as good as the best one; a bug that was fixed and came back has other functions around it. */
const tolerance = 25;

/** What is looked for of a stack. */
export interface StackAsked {
  readonly types: readonly string[];
  readonly values: readonly string[];
  readonly functions: readonly string[];
}

/** Undefined for a text that is none; a line alone is an address or words. */
export function stackIn(text: string): StackText | undefined {
  return text.includes('\n') ? readAnyStack(text) : undefined;
}

/** As it is named on a chip. */
export function nameOfStack({ exceptions }: StackText): string {
  const [{ type, value, frames } = { type: '', value: '', frames: [] }] = exceptions;
  const [line = ''] = value.split('\n', 1);
  const said = [type, line].filter((one) => one !== '').join(': ');
  return (said || (frames.at(-1)?.function ?? frames.at(-1)?.filename ?? '')).slice(0, 200).toWellFormed();
}

export function askedOf({ language, exceptions }: StackText): StackAsked {
  const [main] = exceptions;
  const frames = exceptions.flatMap(({ frames: own }) => own.toReversed());
  const own = frames.filter(({ inApp }) => inApp !== false);
  const functions = new Set<string>();
  for (const { function: name, module } of own.length > 0 ? own : frames) {
    if (functions.size >= maxFunctions) break;
    if (name === undefined) continue;
    functions.add(name);
    if (language === 'php' && module !== undefined) functions.add(`${module}::${name}`);
  }
  return {
    // What panicked is not named by Go; its SDK reports the type of the value.
    types: main && main.type !== '' && language !== 'go' ? namesOf(main) : [],
    values: exceptions.map(({ value }) => value).filter((value) => value !== ''),
    functions: [...functions],
  };
}

function namesOf({ type, module }: StackException): string[] {
  return module === undefined ? [type] : [type, `${module}.${type}`];
}

interface Scored {
  readonly texts: string;
  readonly score: number;
}

/** The best first; of those that match equally well the newest. */
export async function matchStack(events: Events, scope: MatchScope, text: string, limit: number): Promise<Match[]> {
  const read = stackIn(text);
  const asked = read && askedOf(read);
  if (!asked || scope.projectIds.length === 0 || asked.functions.length + asked.values.length === 0) return [];
  const { sql, params } = where(amongProjects(scope.projectIds), alike(asked));
  const scored = await events.query<Scored>(
    `SELECT toString(texts) AS texts, max(
         100 * length(arrayIntersect(stack_functions, {functions:Array(String)})) / greatest(1, {count:UInt32})
         + 60 * hasAny(error_values, {values:Array(String)})) AS score
     FROM error_texts WHERE ${sql} GROUP BY texts ORDER BY score DESC LIMIT ${maxTexts}`,
    { ...params, count: asked.functions.length },
  );
  const [best] = scored;
  if (!best) return [];
  const texts = scored.filter(({ score }) => score >= best.score - tolerance).map((one) => one.texts);
  const condition = {
    conditions: ['texts IN arrayMap(number -> toUInt64(number), {texts:Array(String)})'],
    params: { texts },
  };
  return findMatches(events, scope, condition, limit);
}

function alike({ types, values, functions }: StackAsked): SqlPart {
  return {
    conditions: [
      ...(types.length > 0 ? ['hasAny(error_types, {types:Array(String)})'] : []),
      '(hasAny(stack_functions, {functions:Array(String)}) OR hasAny(error_values, {values:Array(String)}))',
    ],
    params: { types, values, functions },
  };
}
