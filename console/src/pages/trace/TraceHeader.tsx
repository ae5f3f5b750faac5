import { Link } from '@tanstack/react-router';
import { useOrg } from '../../features/session/organization.ts';
import type { IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { nameOf } from '../../features/waterfall/ops.ts';
import { rawTraceAddress } from '../../features/waterfall/queries.ts';
import { SpanSwatch } from '../../features/waterfall/SpanSwatch.tsx';
import * as m from '../../messages/trace.ts';
import * as places from '../../messages/places.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { duration } from '../../ui/durations.ts';
import { Flag } from '../../ui/Flag.tsx';
import { JsonIcon, LinkIcon } from '../../ui/icons.ts';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { Time } from '../../ui/Time.tsx';
import { Troubles } from './Troubles.tsx';
import styles from './TracePage.module.css';

const maxNames = 3;
const maxNamesInTip = 30;

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
    <>
      <PageBar
        title={
          <Crumbs>
            <Link to="/traces">{places.traces}</Link>
            <span title={name} translate="no">
              {name}
            </span>
          </Crumbs>
        }
      >
        <Button
          size="small"
          icon={<LinkIcon size={14} />}
          tip="c"
          onClick={() => void copyText(location.href, m.linkCopied)}
        >
          {m.copyLink}
        </Button>
        <a
          href={rawTraceAddress(org, trace.traceId)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('normal', 'small')}
        >
          <JsonIcon size={14} />
          {m.json}
        </a>
      </PageBar>
      <ul className={styles.summary} aria-label={m.summary}>
        <li>
          <strong>{duration(trace.durationUs)}</strong>
        </li>
        {root.op && root.op !== name && (
          <li className={styles.op} translate="no">
            <SpanSwatch op={root.op} />
            {root.op}
          </li>
        )}
        <li>{m.spanCount({ count: trace.spans })}</li>
        <li data-tip={services.slice(0, maxNamesInTip).join('\n')} translate="no">
          {services.length <= maxNames ? (
            services.join(', ')
          ) : (
            <span translate="yes">{m.serviceCount({ count: services.length })}</span>
          )}
        </li>
        <li>
          <Troubles index={index} onShow={onShow} />
        </li>
        <li>
          <Time at={trace.startUs / 1000} />
        </li>
        <li className={styles.id}>
          <code>{trace.traceId}</code>
          <CopyButton text={trace.traceId} label={m.copyId} />
        </li>
        {arriving && (
          <li>
            <span role="status">
              <Flag kind="ok">{m.arriving}</Flag>
            </span>
          </li>
        )}
      </ul>
    </>
  );
}

const slugOf = ({ trace }: IndexedTrace, projectId: string): string =>
  trace.projects.find(({ id }) => id === projectId)?.slug ?? m.unnamed;
