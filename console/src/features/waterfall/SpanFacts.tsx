import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { duration } from '../../ui/durations.ts';
import { Time } from '../../ui/Time.tsx';
import type { TraceSpan } from './queries.ts';
import styles from './SpanPanel.module.css';

/** What every span has, left out where it was not sent. Values for which there is a page lead to it. */
export function SpanFacts({
  span,
  project,
  segmentOp,
}: {
  readonly span: TraceSpan;
  /** Its slug. */
  readonly project: string | undefined;
  /** Of the root span of its service, which names the transaction; undefined where that is not there. */
  readonly segmentOp: string | undefined;
}) {
  const { status, failed, description, name, release, parentId, exclusiveUs, sdk } = span;
  return (
    <dl className={styles.facts} aria-label="Span">
      <Fact label="Span">
        <Id id={span.id} label="Copy span id" />
      </Fact>
      <Fact label="Status">{status && (failed ? `${status} (failed)` : status)}</Fact>
      <Fact label="Kind">{span.kind}</Fact>
      <Fact label="Description">{description === name ? '' : description}</Fact>
      <Fact label="Service">{span.service}</Fact>
      <Fact label="Transaction">
        {span.transaction && project !== undefined && segmentOp !== undefined ? (
          <Link
            to="/performance/transaction"
            search={{ of: project, transaction: span.transaction, op: segmentOp }}
            data-tip="How it does in general"
          >
            {span.transaction}
          </Link>
        ) : (
          span.transaction
        )}
      </Fact>
      <Fact label="Environment">{issuesWith('environment', span.environment)}</Fact>
      <Fact label="Release">
        {release && (
          <Link to="/releases/$version" params={{ version: release }}>
            {release}
          </Link>
        )}
      </Fact>
      <Fact label="Dist">{span.dist}</Fact>
      <Fact label="User">{issuesWith('user', span.user)}</Fact>
      <Fact label="Origin">{span.origin}</Fact>
      <Fact label="SDK">{[sdk.name, sdk.version].filter(Boolean).join(' ')}</Fact>
      <Fact label="Parent">{parentId && <Id id={parentId} label="Copy id of the parent" />}</Fact>
      <Fact label="Self time as sent">{exclusiveUs === null ? '' : duration(exclusiveUs)}</Fact>
      <Fact label="Received">
        <Time at={span.dateReceived} />
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (!children) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function issuesWith(key: string, value: string): ReactNode {
  return (
    value && (
      <Link to="/issues" search={{ q: `${key}:${quoted(value)}`, status: 'all' }} data-tip={`Issues with this ${key}`}>
        {value}
      </Link>
    )
  );
}

function Id({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <CopyButton text={id} label={label} />
    </span>
  );
}

const quoted = (value: string): string =>
  /^[\w@./-]+$/.test(value) ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
