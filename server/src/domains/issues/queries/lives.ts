/**
 * Counts over the whole life of issues, whatever is asked of their events: from what was asked lately where that is
 * kept, for what a search finds has nearly always been seen before.
 */
import { chunksOf } from '../../../base/chunks.ts';
import { where } from '../../../base/sql.ts';
import type { State } from '../../../ports/state/state.ts';
import type { IssueRow, IssueStores, Life } from '../types.ts';
import { growingLife } from './growing.ts';
import type { Question } from './known.ts';
import { type OwnerKey, scopeOf } from './page-scope.ts';
import { lately, readUsers, type SeenSince, toldApartSql, type UserSet } from './users/user-set.ts';

type Lived = Pick<IssueRow, 'id' | 'projectId'>;

/** With the users that were counted, where they are told apart. */
interface KnownLife extends Life {
  readonly users?: UserSet | undefined;
}

interface LifeRow {
  readonly owned_by: OwnerKey;
  readonly life_n: number;
  readonly life_u: number;
  readonly life_set?: string;
  readonly life_last: number;
}

/** Columns of a statement over `issue_lives`. `usersApart`: so that more of them can be counted in. */
export const lifeColumns = (usersApart: SeenSince | undefined): string =>
  `sum(events) AS life_n, ${
    usersApart === undefined
      ? 'uniqMerge(users) AS life_u'
      : toldApartSql('uniqMergeState(users)', 'life_u', 'life_set', usersApart)
  }, toUnixTimestamp64Milli(max(last_seen)) AS life_last`;

/** Issues asked for with one statement; and of how many at once what is known is kept: more is no list. */
const livesChunk = 2_000;
const most = 500;
const weight = 2;

/** Of issues that have any event, by id. */
export async function livesOf(
  stores: IssueStores,
  issues: readonly Lived[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, Life>> {
  const { known } = stores;
  const lives = new Map<number, Life>();
  for (const chunk of chunksOf(issues, livesChunk)) {
    const found =
      known && issues.length <= most
        ? await known.ask(
            questionOf(stores, signal),
            chunk.map(({ id }) => id),
          )
        : await livesAnew(stores, chunk, { signal });
    for (const [id, { count, userCount, lastSeen }] of found) lives.set(id, { count, userCount, lastSeen });
  }
  return lives;
}

const questionOf = ({ state, events }: IssueStores, signal: AbortSignal | undefined): Question<KnownLife> => ({
  key: 'lives',
  weight,
  most,
  ahead: true,
  grow: growingLife,
  read: async (ids, isAgain) =>
    livesAnew({ state, events }, await issuesWith(state, ids), { signal, usersApart: isAgain ? 0 : lately() }),
  readAgain: async (ids) => livesAnew({ state, events }, await issuesWith(state, ids), { usersApart: 0 }),
});

/** As they are now: hashes move between issues. */
async function issuesWith(state: State, ids: readonly number[]): Promise<Lived[]> {
  const issues: Lived[] = [];
  for (const chunk of chunksOf(ids)) {
    issues.push(
      ...(await state.db
        .selectFrom('issue')
        .select(['id', 'project_id as projectId'])
        .where('id', 'in', chunk)
        .execute()),
    );
  }
  return issues;
}

async function livesAnew(
  { state, events }: IssueStores,
  issues: readonly Lived[],
  { signal, usersApart }: { readonly signal?: AbortSignal | undefined; readonly usersApart?: SeenSince },
): Promise<ReadonlyMap<number, KnownLife>> {
  if (!issues.length) return new Map();
  const page = await scopeOf(state, issues);
  const scope = where(page);
  const rows = await events.query<LifeRow>(
    `SELECT ${page.owner} AS owned_by, ${lifeColumns(usersApart)} FROM issue_lives WHERE ${scope.sql} GROUP BY owned_by`,
    scope.params,
    { signal },
  );
  return new Map(
    rows.flatMap((row) => {
      const issue = page.issueOf(row.owned_by);
      return issue === undefined ? [] : [[issue, toLife(row)] as const];
    }),
  );
}

const toLife = ({ life_n, life_u, life_set, life_last }: LifeRow): KnownLife => ({
  count: life_n,
  userCount: life_u,
  lastSeen: life_last,
  users: readUsers(life_set),
});
