import { Link } from '@tanstack/react-router';
import { RemoveIcon } from '../../ui/icons.ts';
import type { Waterfall } from '../../features/waterfall/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Level } from '../../ui/Level.tsx';
import { plural } from '../../ui/numbers.ts';
import styles from './TracePage.module.css';

/** The problem that the page was opened for, and which rows are its evidence. */
export function ProblemBanner({
  problem,
  onClose,
}: {
  readonly problem: Waterfall['problems'][number];
  readonly onClose: () => void;
}) {
  const { title, shortId, eventId, offenders, causes } = problem;
  return (
    <div className={styles.problem} role="status">
      <Level level="warning" />
      <span>
        <strong>{title}</strong>: {plural(offenders.length, 'span')} marked
        {causes.length > 0 && `, and ${plural(causes.length, 'span')} that led to it`}.
      </span>
      {shortId && (
        <Link to="/issues/$issue" params={{ issue: shortId }} search={{ event: eventId }}>
          {shortId}
        </Link>
      )}
      <IconButton size="small" label="Remove the marks" icon={<RemoveIcon size={14} />} onClick={onClose} />
    </div>
  );
}
