import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/waterfall.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { duration } from '../../ui/durations.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
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
    <KeyValue compact label={m.span}>
      <Fact name={m.facts.id}>
        <Id id={span.id} label={m.copyId} />
      </Fact>
      <Fact name={m.facts.status}>{status && (failed ? m.statusFailed({ status }) : data(status))}</Fact>
      <Fact name={m.facts.kind}>{data(span.kind)}</Fact>
      <Fact name={m.facts.description}>{data(description === name ? '' : description)}</Fact>
      <Fact name={m.facts.service}>{data(span.service)}</Fact>
      <Fact name={m.facts.transaction}>{transactionOf(span, project, segmentOp)}</Fact>
      <Fact name={m.facts.environment}>{issuesWith('environment', span.environment, m.environmentTip)}</Fact>
      <Fact name={m.facts.release}>
        {release && (
          <Link to="/releases/$version" params={{ version: release }} translate="no">
            {release}
          </Link>
        )}
      </Fact>
      <Fact name={m.facts.dist}>{data(span.dist)}</Fact>
      <Fact name={m.facts.user}>{issuesWith('user', span.user, m.userTip)}</Fact>
      <Fact name={m.facts.origin}>{data(span.origin)}</Fact>
      <Fact name={m.facts.sdk}>{data([sdk.name, sdk.version].filter(Boolean).join(' '))}</Fact>
      <Fact name={m.facts.parent}>{parentId && <Id id={parentId} label={m.copyParentId} />}</Fact>
      <Fact name={m.facts.selfTime}>{exclusiveUs === null ? '' : duration(exclusiveUs)}</Fact>
      <Fact name={m.facts.received}>
        <Time at={span.dateReceived} />
      </Fact>
    </KeyValue>
  );
}

/** Nothing where the value was not sent. */
const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) =>
  children ? <Pair name={name}>{children}</Pair> : null;

const data = (text: string): ReactNode => text && <span translate="no">{text}</span>;

function transactionOf({ transaction }: TraceSpan, project: string | undefined, op: string | undefined): ReactNode {
  if (!transaction || project === undefined || op === undefined) return data(transaction);
  return (
    <span data-tip={m.transactionTip}>
      <Link to="/performance/transaction" search={{ of: project, transaction, op }} translate="no">
        {transaction}
      </Link>
    </span>
  );
}

function issuesWith(key: string, value: string, tip: string): ReactNode {
  return (
    value && (
      <span data-tip={tip}>
        <Link to="/issues" search={{ q: `${key}:${quoted(value)}`, status: 'all' }} translate="no">
          {value}
        </Link>
      </span>
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
