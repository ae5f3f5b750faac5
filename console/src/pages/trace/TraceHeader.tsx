import { JsonIcon, LinkIcon } from '../../ui/icons.ts';
import { useOrg } from '../../features/session/organization.ts';
import type { IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { categoryOf, nameOf, tokenOf } from '../../features/waterfall/ops.ts';
import { rawTraceAddress } from '../../features/waterfall/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { duration } from '../../ui/durations.ts';
import { exactNumber, plural, pluralForm } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import { Troubles } from './Troubles.tsx';
import styles from './TracePage.module.css';

const maxNames = 3;

/** Which trace, how long, how much is in it, and what went wrong. */
export function TraceHeader({
  index,
  arriving,
  onShow,
}: {
  readonly index: IndexedTrace;
  readonly arriving: boolean;
  readonly onShow: (row: number) => void;
}) {
  const org = useOrg();
  const { trace, rows } = index;
  const root = rows[0];
  if (!root) return null;
  const name = root.transaction || nameOf(root);
  const services = [...new Set(trace.services.map((service) => service.name || slugOf(index, service.projectId)))];
  return (
    <header className={styles.header}>
      <div className={styles.crumbs}>
        <span>Trace</span>
        <code className={styles.traceId}>{trace.traceId}</code>
        <CopyButton text={trace.traceId} label="Copy trace id" />
        {arriving && (
          <span role="status" className={styles.arriving}>
            still arriving
          </span>
        )}
        <div className={styles.actions}>
          <Button
            size="small"
            icon={<LinkIcon size={14} />}
            tip="c"
            onClick={() => void copyText(location.href, 'Link copied')}
          >
            Copy link
          </Button>
          <a
            href={rawTraceAddress(org, trace.traceId)}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('normal', 'small')}
          >
            <JsonIcon size={14} />
            JSON
          </a>
        </div>
      </div>
      <div className={styles.titleLine}>
        <h1 className={styles.title}>
          <i className={styles.swatch} style={{ '--bar': `var(${tokenOf(categoryOf(root.op))})` }} aria-hidden="true" />
          {root.op && root.op !== name && <span className={styles.op}>{root.op}</span>}
          <span className={styles.name}>{name}</span>
        </h1>
        <ul className={styles.facts} aria-label="Numbers">
          <li>
            <strong>{duration(trace.durationUs)}</strong>
          </li>
          <li>
            <strong>{exactNumber(trace.spans)}</strong> {pluralForm(trace.spans, 'span')}
          </li>
          <li data-tip={services.slice(0, 30).join('\n')}>
            {services.length <= maxNames ? services.join(', ') : plural(services.length, 'service')}
          </li>
          <li>
            <Troubles index={index} onShow={onShow} />
          </li>
          <li>
            <Time at={trace.startUs / 1000} />
          </li>
        </ul>
      </div>
    </header>
  );
}

const slugOf = ({ trace }: IndexedTrace, projectId: string): string =>
  trace.projects.find(({ id }) => id === projectId)?.slug ?? 'unnamed';
