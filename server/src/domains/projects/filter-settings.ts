/** Inbound filters of a project, as they are stored and as they are changed. */
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { networkText, readNetwork } from '../../base/networks.ts';
import { filterProblems as problems } from '../../base/texts/filters.ts';
import {
  type FilterId,
  filterIds,
  filterLimits,
  type FilterSettings,
  hasPatterns,
  noFilters,
  type PatternFilterId,
  patternFilterIds,
} from '../../process/steps/filters/index.ts';
import { globLength } from '../../process/steps/group/rules/glob.ts';

const patternList = z.array(z.string().max(filterLimits.characters)).max(filterLimits.patterns);

const stored = z.object({
  active: z
    .array(z.string())
    .transform((ids) => filterIds.filter((id) => ids.includes(id)))
    .catch([]),
  patterns: z.partialRecord(z.enum(patternFilterIds), patternList).catch({}),
});

/** What is stored; a project without any was made before there were filters. */
export function readFilters(value: unknown): FilterSettings {
  const read = stored.safeParse(value);
  return read.success ? read.data : noFilters;
}

export interface FilterPatch {
  readonly id: FilterId;
  readonly active?: boolean | undefined;
  /** In the place of those that were there. */
  readonly patterns?: readonly string[] | undefined;
}

/** What is left out stays. Throws `INPUT_INVALID` for patterns that cannot be read, or that the filter does not have. */
export function patchFilters(settings: FilterSettings, { id, active, patterns }: FilterPatch): FilterSettings {
  const others = settings.active.filter((one) => one !== id);
  const isActive = active ?? settings.active.includes(id);
  return {
    active: isActive ? [...others, id] : others,
    patterns: patterns ? { ...settings.patterns, [id]: readPatterns(id, patterns) } : settings.patterns,
  };
}

/** As they are stored: each once. Throws `INPUT_INVALID`. */
export function readPatterns(id: FilterId, patterns: readonly string[]): string[] {
  if (!hasPatterns(id)) return refuse(problems.noPatterns(id));
  const sent = [...new Set(patterns.map((pattern) => pattern.trim()).filter(Boolean))];
  if (sent.length > filterLimits.patterns) return refuse(problems.tooMany(filterLimits.patterns));
  const long = sent.find((pattern) => pattern.length > filterLimits.characters);
  if (long !== undefined) return refuse(problems.tooLong(quotable(long), filterLimits.characters));
  return id === 'ip-address' ? readNetworks(sent) : readGlobs(id, sent);
}

function readNetworks(sent: readonly string[]): string[] {
  const networks = sent.map((text) => {
    const network = readNetwork(text);
    return network ? networkText(network) : refuse(problems.noNetwork(quotable(text)));
  });
  return [...new Set(networks)];
}

/** Of releases and environments `*` would drop all that has one, and of errors all. */
const everything = /^[*]+$/;

function readGlobs(id: PatternFilterId, sent: string[]): string[] {
  let length = 0;
  for (const pattern of sent) {
    if (everything.test(pattern)) return refuse(problems.everything(id));
    const own = globLength(pattern);
    if (own === undefined) return refuse(problems.tooManyBraces(quotable(pattern)));
    length += own;
  }
  return length > filterLimits.expanded ? refuse(problems.tooLarge(filterLimits.expanded)) : sent;
}

const quotable = (text: string): string => text.slice(0, 60).toWellFormed();

/** With the sentence for whoever sent it. */
function refuse(problem: string): never {
  throw new CodedError('INPUT_INVALID', [problem]);
}
