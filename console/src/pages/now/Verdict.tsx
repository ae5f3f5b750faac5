import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import { CriticalIcon, OkIcon, WarningIcon } from '../../ui/icons.ts';
import type { ReactNode } from 'react';
import type { Now, NowLink } from '../../features/now/queries.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './NowPage.module.css';

const marks = {
  trouble: { icon: <CriticalIcon size={20} aria-hidden="true" />, word: 'Trouble' },
  attention: { icon: <WarningIcon size={20} aria-hidden="true" />, word: 'Worth a look' },
  calm: { icon: <OkIcon size={20} aria-hidden="true" />, word: 'Calm' },
} as const;

/** The one sentence: a shape and a word for how bad it is, and links to what each part of it is about. */
export function Verdict({ now }: { readonly now: Now & { readonly level: keyof typeof marks } }) {
  const { icon, word } = marks[now.level];
  return (
    <section className={styles.verdict} data-level={now.level} aria-label="Is something wrong?">
      <span className={styles.mark}>
        {icon}
        <span className="visually-hidden">{word}: </span>
      </span>
      <p className={styles.sentence}>
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
  /** That issues were counted of. */
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
