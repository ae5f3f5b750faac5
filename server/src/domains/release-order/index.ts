export { isNewerThan, newestReleases, ofPackage, ordersOf, releasesWith } from './known.ts';
export { compareReleases, compareVersions, nextOf, type Ordered, previousOf } from './order.ts';
export { commitColumns, rowsAtOnce, toCommit, toRelease } from './rows.ts';
export type { CommitRepositoryRow, CommitRow, DeployRow, ReleaseRow } from './types.ts';
export { checkedVersion, packageOf, parseVersion, releaseName, shortVersion } from './version.ts';
