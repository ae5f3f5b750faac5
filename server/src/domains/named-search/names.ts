/**
 * Names in a search that stand for something else: `release:latest`, `release.stage:adopted`, people. They are looked
 * up and replaced before the search is run; somebody who is not there is a problem at that place.
 */
import {
  because,
  findKey,
  type Place,
  type SearchNode,
  type SearchProblem,
  type SearchTerm,
  type SearchValue,
} from '@culprit/search';
import type { Events } from '../../ports/events/events.ts';
import { allOf, anyOf, isTerm, markedIssues, type Reduced, reduceTree, someTerm } from '../issues/index.ts';
import { latestVersions, releaseStages } from '../releases/index.ts';
import type { State } from '../../ports/state/state.ts';
import { type People, peopleOf } from '../teams/index.ts';

export interface NameScope {
  readonly organizationId: string;
  /** Who asks; nobody in particular unless given. */
  readonly userId?: string | undefined;
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
  const people = someTerm(root, namesPeople) ? await peopleOf(state, scope.organizationId) : nobody;
  const problems = unknownPeople(root, people, scope.userId);
  const marks = new Map<SearchTerm, Reduced>();
  for (const term of problems.length ? [] : termsIn(root, isMark)) {
    const meant = term.kind === 'filter' ? meantBy(term, people, scope.userId) : undefined;
    marks.set(term, await marked(state, term, meant, scope));
  }
  const latest = someTerm(root, namesLatest) ? await latestVersions(state, scope.projectIds) : [];
  const stages = someTerm(root, isStage)
    ? await releaseStages(events, scope.projectIds, scope.environments, scope.nowMs)
    : { adopted: [], low: [] };
  const replaced = reduceTree(root, (term) => {
    if (term.kind === 'has' && term.key.name === 'release.stage') return hasRelease(term, term.negated);
    const mark = marks.get(term);
    if (mark !== undefined) return mark;
    if (term.kind !== 'filter') return undefined;
    if (namesPeople(term)) return withPeople(term, meantBy(term, people, scope.userId));
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

const nobody: People = { members: [], teams: [] };

const meantBy = (term: Filter, people: People, userId: string | undefined): readonly string[] => [
  ...new Set(textsOf(term.value).flatMap((name) => meaningOf(name.toLowerCase(), people, userId) ?? [])),
];

function termsIn(root: SearchNode | undefined, is: (term: SearchTerm) => boolean): SearchTerm[] {
  const found: SearchTerm[] = [];
  reduceTree(root, (term) => {
    if (is(term)) found.push(term);
    return undefined;
  });
  return found;
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
const markFields = new Set(['bookmarks', 'subscribed']);

const issueFieldOf = (term: SearchTerm): string | undefined =>
  term.kind !== 'text' && 'place' in term.key && term.key.place.kind === 'issue' ? term.key.place.field : undefined;

const namesPeople = (term: SearchTerm): boolean => term.kind === 'filter' && peopleFields.has(issueFieldOf(term) ?? '');

const isMark = (term: SearchTerm): boolean => markFields.has(issueFieldOf(term) ?? '');

/** What a name means: ids, or `none`; undefined where nobody has it. */
type Meaning = readonly string[] | undefined;

/** Of names in lower case. */
function meaningOf(name: string, { members, teams }: People, userId: string | undefined): Meaning {
  const teamIds = (some: readonly People['teams'][number][]): string[] => some.map(({ id }) => `team:${id}`);
  if (name === 'none') return ['none'];
  if (name === 'me') return userId === undefined ? [] : [`user:${userId}`];
  if (name === 'my_teams')
    return teamIds(teams.filter((team) => userId !== undefined && team.members.includes(userId)));
  if (name.startsWith('#')) {
    const named = teams.filter(({ slug }) => slug.toLowerCase() === name.slice(1));
    return named.length ? teamIds(named) : undefined;
  }
  const people = members.filter(({ email, name: own }) => email.toLowerCase() === name || own.toLowerCase() === name);
  return people.length ? people.map((person) => `user:${person.userId}`) : undefined;
}

function unknownPeople(root: SearchNode | undefined, people: People, userId: string | undefined): SearchProblem[] {
  const problems: SearchProblem[] = [];
  reduceTree(root, (term) => {
    if (term.kind !== 'filter' || !namesPeople(term)) return undefined;
    for (const name of textsOf(term.value)) {
      if (meaningOf(name.toLowerCase(), people, userId)) continue;
      problems.push({
        code: 'unknown-value',
        ...(name.startsWith('#')
          ? because('teamUnknown', { name: term.name, team: name })
          : because('personUnknown', { name: term.name, person: name })),
        at: term.name,
        ...term.valuePlace,
      });
    }
    return undefined;
  });
  return problems;
}

function withPeople(term: Filter, meant: readonly string[]): Reduced {
  return meant.length ? { ...term, value: { type: 'list', values: meant } } : term.negated;
}

const idKey = findKey('issue.id', 'issues');

/** Marks are few beside the issues, so they are looked up first. */
async function marked(state: State, term: SearchTerm, meant: readonly string[] | undefined, scope: NameScope) {
  const field = issueFieldOf(term) === 'bookmarks' ? 'bookmarks' : 'subscribed';
  const anybody = meant === undefined || meant.includes('none');
  const users = (meant ?? []).flatMap((one) => (one.startsWith('user:') ? [one.slice('user:'.length)] : []));
  const ids = await markedIssues(state, field, anybody ? undefined : users, scope.projectIds);
  const { start, end } = term;
  const isNegated = term.kind !== 'text' && term.negated;
  const not = isNegated !== (meant?.includes('none') ?? false);
  if (!ids.length) return not;
  return {
    kind: 'filter',
    name: 'issue.id',
    key: idKey,
    negated: not,
    value: { type: 'numbers', values: ids },
    valuePlace: { start, end },
    start,
    end,
  } satisfies SearchTerm;
}
