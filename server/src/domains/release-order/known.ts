/** What is known of releases, for who asks inside a transaction which of two came first. */
import { chunksOf } from '../../base/chunks.ts';
import type { StateTransaction } from '../../ports/state/state.ts';
import { compareReleases, type Ordered } from './order.ts';
import { rowsAtOnce } from './rows.ts';
import { packageOf, parseVersion } from './version.ts';

/** Releases of one project that are compared, the latest by date. */
const compared = 500;
const maxPackages = 20;

/** The newest release of each package of a project, the latest by date first. */
export async function newestReleases(trx: StateTransaction, projectId: number): Promise<Ordered[]> {
  const rows = await trx
    .selectFrom('release')
    .innerJoin('release_project', 'release_project.release_id', 'release.id')
    .select(['release.version', 'release.ordered_at as orderedAt'])
    .where('release_project.project_id', '=', projectId)
    .where('release.status', '=', 'open')
    .orderBy('release.ordered_at', 'desc')
    .orderBy('release.id', 'desc')
    .limit(compared)
    .execute();
  return newestOfEach(rows).slice(0, maxPackages);
}

/** What is no version in the sense of semver, such as a hash, stands apart: it is ordered by date alone. */
const familyOf = ({ version }: Ordered): string =>
  `${parseVersion(version) ? 'version' : 'hash'} ${packageOf(version)}`;

/** Of a package, which may have versions and hashes. */
export const ofPackage = (releases: readonly Ordered[], name: string): readonly Ordered[] =>
  releases.filter(({ version }) => packageOf(version) === name);

const newestOfEach = (releases: readonly Ordered[]): Ordered[] =>
  [...Map.groupBy(releases, familyOf).values()].map((ofOne) =>
    ofOne.reduce((best, one) => (compareReleases(one, best) > 0 ? one : best)),
  );

/** Whether a release came after all of its package, and where there is none of its package, after all of them. */
export function isNewerThan(release: Ordered, known: readonly Ordered[]): boolean {
  const family = known.filter((one) => familyOf(one) === familyOf(release));
  const beside = family.length ? family : ofPackage(known, packageOf(release.version));
  return (beside.length ? beside : known).every((one) => compareReleases(release, one) > 0);
}

/** By version, of those that the organisation of the project has. */
export async function ordersOf(
  trx: StateTransaction,
  projectId: number,
  versions: readonly string[],
): Promise<ReadonlyMap<string, Ordered>> {
  const orders = new Map<string, Ordered>();
  for (const chunk of chunksOf([...new Set(versions)], rowsAtOnce)) {
    const rows = await trx
      .selectFrom('release')
      .innerJoin('project', 'project.organization_id', 'release.organization_id')
      .select(['release.version', 'release.ordered_at as orderedAt'])
      .where('project.id', '=', projectId)
      .where('release.version', 'in', chunk)
      .execute();
    for (const row of rows) orders.set(row.version, row);
  }
  return orders;
}

/** Digits of git's. */
const wholeHash = 40;

interface NamedCommit {
  /** Its hash, or at least seven digits from the beginning. */
  readonly commit: string;
  /** '' for whichever repository has it. */
  readonly repository: string;
}

/** The releases of a project that have a commit, the oldest first, with its whole hash. */
export async function releasesWith(
  trx: StateTransaction,
  projectId: number,
  { commit, repository }: NamedCommit,
): Promise<(Ordered & { readonly sha: string })[]> {
  if (!/^[0-9a-z]{7,64}$/i.test(commit)) return [];
  const sha = commit.toLowerCase();
  const isWhole = sha.length >= wholeHash;
  let query = trx
    .selectFrom('commit')
    .innerJoin('release_commit', 'release_commit.commit_id', 'commit.id')
    .innerJoin('release', 'release.id', 'release_commit.release_id')
    .innerJoin('release_project', 'release_project.release_id', 'release.id')
    .innerJoin('repository', 'repository.id', 'commit.repository_id')
    .innerJoin('project', 'project.organization_id', 'repository.organization_id')
    .select(['release.version', 'release.ordered_at as orderedAt', 'commit.sha'])
    .where('project.id', '=', projectId)
    .where('release_project.project_id', '=', projectId)
    // A whole hash is found by the index.
    .where('commit.sha', isWhole ? '=' : 'like', isWhole ? sha : `${sha}%`);
  if (repository !== '') query = query.where('repository.name', '=', repository);
  const rows = await query.limit(1_000).execute();
  return rows.toSorted(compareReleases);
}
