/** What the page of an issue shows of its events, from what was asked lately. */
import type { State } from '../../../ports/state/state.ts';
import { lastPeriod } from '../../../base/time-range.ts';
import type { IssueRow, IssueStores } from '../types.ts';
import { toIssueRow } from '../rows.ts';
import type { CountEstimate } from '../../search/index.ts';
import { estimatesOf } from './estimate.ts';
import { growingTotals } from './growing.ts';
import { hashesOf, type IssueTotals, issueTotals } from './issue.ts';
import type { Question } from './known.ts';
import { type Unstored, whyUnstored } from './unstored.ts';
import { tagKeysOfIssue, type TagsOfIssue, tagsOfIssue } from './tags.ts';

export interface PageOfIssue {
  /** Within the environments that were asked for. */
  readonly totals: IssueTotals;
  readonly lifetime: IssueTotals;
  readonly tags: TagKeys;
  /** Of the count; undefined where that is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
  /** Why events of it are not stored, where there is an estimate. */
  readonly unstored: readonly Unstored[];
}

type TagKeys = readonly { readonly key: string; readonly total: number }[];

export interface PageRequest {
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly nowMs: number;
  readonly withoutTags?: boolean | undefined;
}

/** Whose page it is, with the hashes that it owns. */
interface Owning {
  readonly issue: IssueRow;
  readonly hashes: readonly string[];
}

/** Few people look at one issue at a time; each is some statements. */
const most = 3;

export async function pageOfIssue(
  stores: IssueStores,
  owning: Owning,
  { environments, nowMs, withoutTags = false }: PageRequest,
): Promise<PageOfIssue> {
  const [totals, lifetime, tags] = await Promise.all([
    knownTotals(stores, owning, environments, nowMs),
    environments.length ? knownTotals(stores, owning, [], nowMs) : undefined,
    withoutTags
      ? []
      : askOne(stores, owning, { key: 'tag keys', weight: 2, ...asBefore<TagKeys>() }, (of) =>
          tagKeysOfIssue(stores, of.issue, of.hashes),
        ),
  ]);
  const estimate = await estimateOfTotals(stores, owning, environments, totals);
  const all = lifetime ?? totals;
  const inAll = all.count - all.stored;
  const unstored = estimate ? await whyUnstored(stores, { ...owning, inAll, asked: totals.count - totals.stored }) : [];
  return { totals: seen(totals, owning.issue), lifetime: seen(all, owning.issue), tags, estimate, unstored };
}

/** Undefined where the count is right to 1 %. */
export async function estimateOfTotals(
  stores: Pick<IssueStores, 'state'>,
  owning: Pick<Owning, 'issue'>,
  environments: readonly string[],
  { count, stored }: Pick<IssueTotals, 'count' | 'stored'>,
): Promise<CountEstimate | undefined> {
  if (stored >= count) return undefined;
  const { id, projectId } = owning.issue;
  const within = { sampledUntil: new Map([[projectId, Infinity]]), isPart: environments.length > 0 };
  return (await estimatesOf(stores.state, [{ id, projectId, count, stored }], within)).get(id);
}

/** Without an event of these environments it was seen when it was seen in any. */
const seen = (totals: IssueTotals, { lastSeen }: IssueRow): IssueTotals =>
  totals.count ? totals : { ...totals, lastSeen };

function knownTotals(
  stores: IssueStores,
  owning: Owning,
  environments: readonly string[],
  nowMs: number,
): Promise<IssueTotals> {
  // The ranges of its series, which begin anew with each hour and day.
  const series = [lastPeriod('24h', nowMs).startMs, lastPeriod('30d', nowMs, 31).startMs];
  const key = JSON.stringify(['totals', ...series, environments.toSorted()]);
  return askOne(stores, owning, { key, weight: 8, grow: growingTotals(environments) }, (of) =>
    // At once: whoever looks at an issue looks at one that gets events, and one set of users is soon read.
    issueTotals(stores, of.issue, of.hashes, environments, nowMs, true),
  );
}

/** What the newest events are made of hardly changes with one more: it may be some time behind. */
const asBefore = <Answer>(): Pick<Question<Answer>, 'grow' | 'lagMs'> => ({
  grow: (answer) => ({ answer, isExact: false }),
  lagMs: 60_000,
});

type TagsOptions = Parameters<typeof tagsOfIssue>[3];

export async function knownTagsOfIssue(
  stores: IssueStores,
  owning: Owning,
  options: TagsOptions,
): Promise<TagsOfIssue> {
  const { environments = [], range, keys = [], sample, values, wasSampled = false } = options;
  if (range) return tagsOfIssue(stores, owning.issue, owning.hashes, options);
  const key = JSON.stringify(['tags', sample, values, wasSampled, environments.toSorted(), keys.toSorted()]);
  return askOne(stores, owning, { key, weight: 16, ...asBefore<TagsOfIssue>() }, (of) =>
    tagsOfIssue(stores, of.issue, of.hashes, options),
  );
}

async function askOne<Answer>(
  { state, known }: IssueStores,
  owning: Owning,
  named: Pick<Question<Answer>, 'key' | 'weight' | 'grow' | 'lagMs'>,
  read: (of: Owning) => Promise<Answer>,
): Promise<Answer> {
  if (!known) return read(owning);
  const { id } = owning.issue;
  const question: Question<Answer> = {
    ...named,
    most,
    // Anew, for its hashes may be another's since they were looked up.
    read: async () => new Map([[id, await read((await owningNow(state, id)) ?? owning)]]),
    readAgain: async (ids) => {
      const answers = new Map<number, Answer>();
      for (const one of ids) {
        const of = await owningNow(state, one);
        if (of) answers.set(one, await read(of));
      }
      return answers;
    },
  };
  // An issue that was gone when it was read again may have been put together with this one.
  return (await known.ask(question, [id])).get(id) ?? read(owning);
}

async function owningNow(state: State, id: number): Promise<Owning | undefined> {
  const row = await state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { issue: toIssueRow(row), hashes: await hashesOf(state, id) };
}
