import { type Named, releaseWords } from '../release-names/names.ts';
import styles from './ReleaseName.module.css';

/** Its version, with the package where another of those shown beside it has the same. A long package gives way first. */
export function ReleaseName({
  release,
  among,
}: {
  readonly release: Named;
  readonly among: readonly (Named | null | undefined)[];
}) {
  const words = releaseWords(release, among);
  if (!words.package) return <span className={styles.version}>{words.short}</span>;
  return (
    <>
      {/* Read out, the two boxes would be two words. */}
      <span className="visually-hidden">{words.package + words.short}</span>
      <span className={styles.name} aria-hidden="true">
        <span className={styles.package}>{words.package}</span>
        <span className={styles.version}>{words.short}</span>
      </span>
    </>
  );
}
