/**
 * Inbound filters: what of a project's errors, transactions, logs and sessions is not to be stored. Each filter is a judge
 * of its own, in a table; the first that is on and says so is the reason of the outcome. What does the same everywhere
 * asks nothing of the clock or the network, so that a batch that is run again drops the same.
 */
import { networkList } from '../../../base/networks.ts';
import type { LogRow } from '../../../base/tables/logs.ts';
import type { SessionRow } from '../../../base/tables/sessions.ts';
import type { SpanRow } from '../../../base/tables/spans.ts';
import type { Event } from '../event.ts';
import { ofBrowserExtension } from './browser-extensions.ts';
import { ofChunkLoad } from './chunk-load.ts';
import { ofHealthCheck } from './health-checks.ts';
import { ofLegacyBrowser } from './legacy-browsers.ts';
import { ofLocalhost } from './localhost.ts';
import { anyGlob } from './patterns.ts';
import type { Sender } from './sender.ts';
import { type FilterId, filterIds, type FilterSettings, hasPatterns, type PatternFilterId } from './settings.ts';
import { ofCrawler } from './web-crawlers.ts';

export {
  type FilterId,
  filterIds,
  filterLimits,
  type FilterSettings,
  hasPatterns,
  newProjectFilters,
  noFilters,
  type PatternFilterId,
  patternFilterIds,
} from './settings.ts';

/** Of rows that are no events. */
export type FilteredTable = keyof FilteredRows;
type FilteredRow = Pick<SpanRow | LogRow | SessionRow, 'release' | 'environment'>;
type FilteredSpan = FilteredRow & Pick<SpanRow, 'transaction' | 'op' | 'is_segment' | 'platform' | 'attributes'>;
/** What is looked at of a row, by its table. */
interface FilteredRows {
  readonly spans: FilteredSpan;
  readonly logs: FilteredRow;
  readonly sessions: FilteredRow;
}

/** What a filter looks at; what is missing does not concern it. */
interface Judge {
  readonly event?: (event: Event, sender: Sender) => boolean;
  readonly row?: (row: FilteredRow, sender: Sender) => boolean;
  readonly span?: (row: FilteredSpan) => boolean;
}

type MakeJudge = (patterns: readonly string[]) => Judge;

const judges: { readonly [Id in FilterId]: MakeJudge } = {
  'ip-address': (networks) => {
    const isListed = networkList(networks);
    const isOf = (sender: Sender): boolean => sender.remoteAddress !== undefined && isListed(sender.remoteAddress);
    return {
      event: ({ user }, sender) => isOf(sender) || (user?.ip_address !== undefined && isListed(user.ip_address)),
      row: (_, sender) => isOf(sender),
    };
  },
  'release-version': (patterns) => {
    const matches = anyGlob(patterns);
    return { event: ({ release = '' }) => matches(release), row: ({ release }) => matches(release) };
  },
  environment: (patterns) => {
    const matches = anyGlob(patterns);
    return { event: ({ environment = '' }) => matches(environment), row: ({ environment }) => matches(environment) };
  },
  'filtered-transaction': () => ({ span: ofHealthCheck }),
  'browser-extensions': () => ({ event: ofBrowserExtension }),
  'web-crawlers': () => ({ event: ofCrawler }),
  'legacy-browsers': () => ({ event: ofLegacyBrowser }),
  localhost: () => ({ event: ofLocalhost }),
  'chunk-load-error': () => ({ event: ofChunkLoad }),
  'error-type': (patterns) => {
    const matches = anyGlob(patterns);
    return { event: ({ exception }) => matches(exception?.values.at(-1)?.type ?? '') };
  },
  'error-message': (patterns) => {
    const matches = anyGlob(patterns);
    return { event: (event) => messagesOf(event).some(matches) };
  },
};

/** As people see it: the exception that was thrown last, with and without its type, else the message. */
function messagesOf({ exception, logentry }: Event): string[] {
  const thrown = exception?.values.at(-1);
  if (!thrown) return [logentry?.formatted ?? logentry?.message ?? ''];
  const { type = '', value = '' } = thrown;
  return [value, `${type}: ${value}`];
}

export interface Filters {
  readonly events: readonly (readonly [FilterId, NonNullable<Judge['event']>])[];
  readonly rows: readonly (readonly [FilterId, NonNullable<Judge['row']>])[];
  readonly spans: readonly (readonly [FilterId, NonNullable<Judge['span']>])[];
}

/** Those that are on, in the order in which they decide; undefined where nothing can be dropped. */
export function compileFilters({ active, patterns }: FilterSettings): Filters | undefined {
  const on = filterIds.flatMap((id) => {
    if (!active.includes(id)) return [];
    const own = hasPatterns(id) ? patternsOf(patterns, id) : [];
    return hasPatterns(id) && own.length === 0 ? [] : [[id, judges[id](own)] as const];
  });
  if (on.length === 0) return undefined;
  const of = <Part extends keyof Judge>(part: Part) =>
    on.flatMap(([id, judge]) => (judge[part] ? [[id, judge[part]] as const] : []));
  return {
    events: of('event') as Filters['events'],
    rows: of('row') as Filters['rows'],
    spans: of('span') as Filters['spans'],
  };
}

const patternsOf = (patterns: FilterSettings['patterns'], id: PatternFilterId): readonly string[] => patterns[id] ?? [];

const compiled = new WeakMap<FilterSettings, Filters | undefined>();

/** Those of a project's settings, made once while these are the same; undefined for none. */
export function filtersOf({ filters }: { readonly filters: FilterSettings }): Filters | undefined {
  if (filters.active.length === 0) return undefined;
  if (!compiled.has(filters)) compiled.set(filters, compileFilters(filters));
  return compiled.get(filters);
}

/** The filter that drops an event; undefined where it stays. Normalised, with the contexts of its client. */
export function judgeEvent(filters: Filters, event: Event, sender: Sender): FilterId | undefined {
  for (const [id, drops] of filters.events) if (drops(event, sender)) return id;
  return undefined;
}

/** The same for a row of a span, a log or sessions. */
export function judgeRow<Table extends FilteredTable>(
  filters: Filters,
  table: Table,
  row: FilteredRows[Table],
  sender: Sender,
): FilterId | undefined {
  for (const [id, drops] of filters.rows) if (drops(row, sender)) return id;
  if (table === 'spans') for (const [id, drops] of filters.spans) if (drops(row as FilteredSpan)) return id;
  return undefined;
}
