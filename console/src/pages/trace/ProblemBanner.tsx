import { Link } from '@tanstack/react-router';
import type { Waterfall } from '../../features/waterfall/queries.ts';
import * as m from '../../messages/trace.ts';
import { IconButton } from '../../ui/Button.tsx';
import { RemoveIcon } from '../../ui/icons.ts';
import { Inline } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** The problem that the page was opened for, and which rows are its evidence. */
export function ProblemBanner({
  problem,
  onClose,
}: {
  readonly problem: Waterfall['problems'][number];
  readonly onClose: () => void;
}) {
  const { title, shortId, eventId, offenders, causes } = problem;
  const said = { name: <strong translate="no">{title}</strong>, count: offenders.length };
  return (
    <Notice tone="warning" says="status">
      <Inline align="apart">
        <Inline>
          <span>{causes.length > 0 ? m.problemWithCauses({ ...said, causes: causes.length }) : m.problem(said)}</span>
          {shortId && (
            <Link to="/issues/$issue" params={{ issue: shortId }} search={{ event: eventId }} translate="no">
              {shortId}
            </Link>
          )}
        </Inline>
        <IconButton size="small" label={m.removeMarks} icon={<RemoveIcon size={14} />} onClick={onClose} />
      </Inline>
    </Notice>
  );
}
