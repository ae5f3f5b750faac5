/** Where in the form a refusal of the server belongs. Pure. */
import { ApiError } from '../../api/errors.ts';
import { problemWords } from '../search-box/problem-words.ts';
import type { DraftProblems } from './draft.ts';

const fields: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'name',
    projectIds: 'projects',
    environment: 'environment',
    query: 'query',
    throttleMinutes: 'throttle',
    digestMinutes: 'digest',
    channelIds: 'channels',
    owner: 'owner',
    conditions: 'conditions',
    aggregate: 'aggregate',
    dataset: 'dataset',
    minutes: 'window',
    comparison: 'comparison',
    direction: 'direction',
    warning: 'warning',
    critical: 'critical',
    resolve: 'resolve',
  }),
);

/** By field, as `problemsOf` has them; empty for what belongs to the whole rule. A refused search is marked in its own box. */
export function placeOfError(error: unknown): DraftProblems {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'QUERY_INVALID') {
    const wrong = error.problems.find(({ parameter }) => parameter !== undefined && parameter !== 'query');
    if (wrong) return { aggregate: problemWords(wrong) };
    return error.problems.length ? { query: error.problems.map(problemWords).join(' ') } : {};
  }
  if (error.code !== 'INPUT_INVALID') return {};
  const found = /^(?:field )?(?:metric\.)?([a-zA-Z]+)((?:\.\w+)*): (.+)$/s.exec(error.message);
  const field = fields.get(found?.[1] ?? '');
  if (!found || !field) return {};
  const index = field === 'conditions' ? /^\.(\d+)/.exec(found[2] ?? '')?.[1] : undefined;
  return { [index === undefined ? field : `conditions.${index}`]: sentence(found[3] ?? '') };
}

/** A message of the server as a sentence. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
