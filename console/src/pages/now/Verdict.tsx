import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/now.ts';
import type { Now, NowLink } from '../../features/now/queries.ts';
import { CriticalIcon, OkIcon, WarningIcon } from '../../ui/icons.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './NowPage.module.css';

const icons = { trouble: CriticalIcon, attention: WarningIcon, calm: OkIcon } as const;

/** The one sentence, which the server writes: a shape and a word for its severity, and links from each part of it. */
export function Verdict({ now }: { readonly now: Now & { readonly level: keyof typeof icons } }) {
  const Icon = icons[now.level];
  return (
    <section className={styles.verdict} data-level={now.level} aria-label={m.verdict}>
      <span className={styles.mark}>
        <Icon size={20} aria-hidden="true" />
        <span className="visually-hidden">{m.levels[now.level]} </span>
      </span>
      <p className={styles.sentence} translate="no">
        {now.parts.map((part, index) => (
          <PartLink key={index} link={part.link} period={now.issuesPeriod}>
            {part.at === undefined ? part.text : <Time at={part.at} />}
          </PartLink>
        ))}
      </p>
    </section>
  );
}

function PartLink({
  link,
  period,
  children,
}: {
  readonly link: NowLink | undefined;
  /** In which issues were counted. */
  readonly period: string;
  readonly children: ReactNode;
}) {
  switch (link?.kind) {
    case 'issues':
      return (
        <Link to="/issues" search={{ q: link.query, range: period }}>
          {children}
        </Link>
      );
    case 'transaction':
      return (
        <Link
          to="/issues"
          search={{ q: termText('transaction', link.transaction ?? ''), project: link.project, range: '24h' }}
        >
          {children}
        </Link>
      );
    case 'release':
      return (
        <Link to="/releases/$version" params={{ version: link.version ?? '' }}>
          {children}
        </Link>
      );
    case 'releases':
      return <Link to="/releases">{children}</Link>;
    case 'health':
      return <Link to="/health">{children}</Link>;
    case 'alerts':
      return <Link to="/alerts">{children}</Link>;
    case undefined:
      return <>{children}</>;
  }
}
