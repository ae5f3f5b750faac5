/**
 * Names in a search that stand for something else: `release:latest`, `release.stage:adopted`, people. They are looked
 * up and replaced before the search is run; somebody who is not there is a problem at that place.
 */
import {
  findKey,
  type Place,
  type SearchNode,
  type SearchProblem,
  type SearchTerm,
  type SearchValue,
} from '@culprit/search';
import { namesOfMembers } from '../accounts/index.ts';
import type { Events } from '../events/events.ts';
import { allOf, anyOf, isTerm, type Reduced, reduceTree, someTerm } from '../issues/index.ts';
import { latestVersions, releaseStages } from '../releases/index.ts';
import type { State } from '../state/state.ts';

export interface NameScope {
  readonly organizationId: string;
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly nowMs: number;
}

export interface Named {
  readonly root: Reduced;
  readonly problems: readonly SearchProblem[];
}

type Filter = Extract<SearchTerm, { kind: 'filter' }>;

/** Each look-up is made only where the search needs it. */
export async function resolveNames(
  { state, events }: { readonly state: State; readonly events: Events },
  root: SearchNode | undefined,
  scope: NameScope,
): Promise<Named> {
  const problems = someTerm(root, namesPeople) ? unknownPeople(root, await members(state, scope)) : [];
  const latest = someTerm(root, namesLatest) ? await latestVersions(state, scope.projectIds) : [];
  const stages = someTerm(root, isStage)
    ? await releaseStages(events, scope.projectIds, scope.environments, scope.nowMs)
    : { adopted: [], low: [] };
  const replaced = reduceTree(root, (term) => {
    if (term.kind === 'has' && term.key.name === 'release.stage') return hasRelease(term, term.negated);
    if (term.kind !== 'filter') return undefined;
    if (namesLatest(term)) return withLatest(term, latest);
    if (!isStage(term)) return undefined;
    const asked = new Set(textsOf(term.value));
    const seen = [...stages.adopted, ...stages.low];
    const positive = anyOf([
      ...(asked.has('adopted') ? [amongReleases(term, stages.adopted, false)] : []),
      ...(asked.has('low') ? [amongReleases(term, stages.low, false)] : []),
      ...(asked.has('replaced') ? [allOf([hasRelease(term, false), amongReleases(term, seen, true)])] : []),
    ]);
    return term.negated ? negated(positive) : positive;
  });
  return { root: replaced, problems };
}

const textsOf = (value: SearchValue): readonly string[] =>
  value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];

const isRelease = (term: Filter): boolean =>
  'place' in term.key &&
  (term.key.place.kind === 'column'
    ? term.key.place.column === 'release'
    : term.key.place.kind === 'issue' && term.key.place.field === 'first_release');

const namesLatest = (term: SearchTerm): boolean =>
  term.kind === 'filter' &&
  isRelease(term) &&
  textsOf(term.value).includes('latest') &&
  !(term.value.type === 'text' && term.value.quoted);

const isStage = (term: SearchTerm): boolean => term.kind === 'filter' && term.key.name === 'release.stage';

function withLatest(term: Filter, latest: readonly string[]): Reduced {
  const values = textsOf(term.value).flatMap((text) => (text === 'latest' ? latest : [text]));
  return values.length ? { ...term, value: { type: 'list', values } } : term.negated;
}

const releaseKey = findKey('release', 'events');

const amongReleases = (term: Filter, values: readonly string[], not: boolean): Reduced =>
  values.length ? { ...term, name: 'release', key: releaseKey, negated: not, value: { type: 'list', values } } : not;

const hasRelease = ({ start, end }: Place, not: boolean): SearchTerm => ({
  kind: 'has',
  name: 'release',
  key: releaseKey,
  negated: not,
  start,
  end,
});

/** Of what `amongReleases` and `hasRelease` make: negation stands at terms. */
function negated(node: Reduced): Reduced {
  if (typeof node === 'boolean') return !node;
  if (isTerm(node)) return node.kind === 'text' ? node : { ...node, negated: !node.negated };
  const nodes = node.nodes.map(negated);
  return node.kind === 'and' ? anyOf(nodes) : allOf(nodes);
}

const peopleFields = new Set(['assigned', 'assigned_or_suggested', 'bookmarks', 'subscribed']);
const alwaysKnown = new Set(['me', 'none', 'my_teams']);

const namesPeople = (term: SearchTerm): boolean =>
  term.kind === 'filter' &&
  'place' in term.key &&
  term.key.place.kind === 'issue' &&
  peopleFields.has(term.key.place.field);

const members = (state: State, { organizationId }: NameScope): Promise<ReadonlySet<string>> =>
  namesOfMembers(state, organizationId);

function unknownPeople(root: SearchNode | undefined, known: ReadonlySet<string>): SearchProblem[] {
  const problems: SearchProblem[] = [];
  reduceTree(root, (term) => {
    if (term.kind === 'filter' && namesPeople(term)) {
      for (const name of textsOf(term.value)) {
        if (alwaysKnown.has(name) || known.has(name.toLowerCase())) continue;
        problems.push({
          code: 'unknown-value',
          message: name.startsWith('#')
            ? `"${term.name}": there is no team ${name}`
            : `"${term.name}": nobody here is called ${name}; give an e-mail address or a name, me or none`,
          at: term.name,
          ...term.valuePlace,
        });
      }
    }
    return undefined;
  });
  return problems;
}
