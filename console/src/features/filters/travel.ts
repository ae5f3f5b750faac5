/**
 * The one rule of what goes along from page to page: what somebody **chose**, in the filter bar or on a chart, goes along;
 * what a link says of the page that it leads to is that page's own, and ends there.
 *
 * The address of a page has what the page obeys (`project`, `environment`, `range`, `start`, `end`). Where that is not what
 * goes along, `elsewhere` has what does: `/issues?q=…&project=shop&elsewhere=range:7d`. A page about one thing of one
 * project names the project `of`, which no other page obeys.
 */
import { filtersSchema, type Filters, type SharedSearch } from './filters.ts';

/** What is decided together: a range and two instants are one choice. */
const groups = [['project'], ['environment'], ['range', 'start', 'end']] as const;
const names = groups.flat();
/** Nothing goes along. */
const none = 'none';

/** What goes along from a page with this address. */
export function travelling(search: SharedSearch): Filters {
  return search.elsewhere === undefined ? filtersIn(search) : decode(search.elsewhere);
}

/** The address after somebody chose: it holds here, and elsewhere. A cursor belongs to the filter that it came from. */
export function chosen<S extends object>(
  search: S & SharedSearch,
  changes: Partial<Filters>,
): S & SharedSearch & { cursor: undefined } {
  const along = { ...travelling(search), ...changes };
  return { ...search, cursor: undefined, ...changes, elsewhere: encode(along) };
}

/** Middleware of all links and navigations between pages that have the filter. */
export function travel<S extends SharedSearch>({ search, next }: { search: S; next: (search: S) => S }): S {
  const wanted = next(search);
  return { ...wanted, ...addressed(search, wanted) };
}

/** The filter of an address that a link wants, seen from the page that has the link. */
export function addressed(from: SharedSearch, wanted: SharedSearch): SharedSearch {
  const along = travelling('elsewhere' in wanted ? wanted : from);
  const own: Record<string, string | undefined> = {};
  for (const group of groups) {
    const source = group.some((name) => name in wanted) ? wanted : along;
    for (const name of group) own[name] = source[name];
  }
  const differs = names.some((name) => own[name] !== along[name]);
  return { ...own, elsewhere: differs ? encode(along) : undefined };
}

/** For a page about one thing of one project: asked of that project, whatever is chosen elsewhere. */
export function ofItsProject<S extends Filters & { readonly of?: string | undefined }>(search: S): S {
  return search.of === undefined ? search : { ...search, project: search.of };
}

function filtersIn(search: Filters): Filters {
  return Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
}

function encode(filters: Filters): string {
  const parts = names.flatMap((name) => (filters[name] ? [`${name}:${encodeURIComponent(filters[name])}`] : []));
  return parts.join(',') || none;
}

/** Leniently, as all of an address. */
function decode(text: string): Filters {
  const found: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split(':', 2);
    try {
      if (value) found[name] = decodeURIComponent(value);
    } catch {
      // Cut off by whoever passed the link on.
    }
  }
  return filtersSchema.parse(found);
}
