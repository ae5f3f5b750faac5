import { Link } from '@tanstack/react-router';
import { MenuIcon } from '../../ui/icons.ts';
import type { IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { Button } from '../../ui/Button.tsx';
import { duration } from '../../ui/durations.ts';
import { Level } from '../../ui/Level.tsx';
import { plural } from '../../ui/numbers.ts';
import { Popover } from '../../ui/Popover.tsx';
import styles from './TracePage.module.css';

const maxShown = 100;

interface Trouble {
  readonly key: string;
  readonly level: string;
  readonly title: string;
  readonly shortId: string | null;
  readonly eventId: string;
  readonly note: string;
  /** -1 where it happened in no span that is there. */
  readonly row: number;
}

/** Errors and problems of the trace: to their issues, and to where they happened. */
export function Troubles({ index, onShow }: { readonly index: IndexedTrace; readonly onShow: (row: number) => void }) {
  const { errors, problems } = index.trace;
  if (!errors.length && !problems.length) return <>no errors</>;
  const troubles: Trouble[] = [
    ...errors.map(({ eventId, level, title, shortId, row, offsetUs }) => ({
      key: eventId,
      level,
      title: title || 'error without a title',
      shortId,
      eventId,
      note: `+${duration(offsetUs)}`,
      row,
    })),
    ...problems.map(({ eventId, title, shortId, offenders, causes }) => ({
      key: `problem ${eventId}`,
      level: 'warning',
      title,
      shortId,
      eventId,
      note: plural(offenders.length, 'span'),
      row: offenders[0] ?? causes[0] ?? -1,
    })),
  ];
  const words = [
    errors.length ? plural(errors.length, 'error') : '',
    problems.length ? plural(problems.length, 'problem') : '',
  ].filter(Boolean);
  return (
    <Popover
      label="Errors and problems"
      className={styles.troubles ?? ''}
      renderTrigger={(props) => (
        <Button {...props} size="small" className={styles.troubleButton}>
          <Level level={errors[0]?.level ?? 'warning'} />
          {words.join(', ')}
          <MenuIcon size={14} />
        </Button>
      )}
    >
      {(close) => (
        <ul className={styles.errors}>
          {troubles.slice(0, maxShown).map((trouble) => (
            <li key={trouble.key}>
              <Level level={trouble.level} />
              {trouble.shortId ? (
                <Link to="/issues/$issue" params={{ issue: trouble.shortId }} search={{ event: trouble.eventId }}>
                  {trouble.title}
                </Link>
              ) : (
                <span>{trouble.title}</span>
              )}
              {trouble.row >= 0 ? (
                <Button
                  size="small"
                  aria-label={`Show where: ${trouble.title}`}
                  onClick={() => {
                    close();
                    onShow(trouble.row);
                  }}
                >
                  Show
                </Button>
              ) : (
                <span className={styles.faint}>its span is not here</span>
              )}
              <span className={styles.faint}>
                {trouble.shortId} · {trouble.note}
              </span>
            </li>
          ))}
          {troubles.length > maxShown && <li className={styles.faint}>{troubles.length - maxShown} more</li>}
        </ul>
      )}
    </Popover>
  );
}
