import type { ReleaseListPage } from '../../features/releases/queries.ts';
import { plural } from '../../ui/numbers.ts';
import styles from './ReleasesPage.module.css';

/** Events, which anybody with a public key can send, brought more names than there is room for. */
export function LeftOut({ leftOut: { releases, environments } }: Pick<ReleaseListPage, 'leftOut'>) {
  const names = [
    ...(releases ? [plural(releases, 'new release')] : []),
    ...(environments ? [plural(environments, 'new environment')] : []),
  ];
  if (!names.length) return null;
  return (
    <output className={styles.leftOut}>
      {names.join(' and ')} that only events named found no room since yesterday. Their events are stored, and a name
      that keeps coming is listed within minutes. What sentry-cli, a deploy or the API names is always listed.
    </output>
  );
}
