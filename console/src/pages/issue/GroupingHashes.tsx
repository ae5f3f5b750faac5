import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Event } from '../../features/event/types.ts';
import { basisWords } from '../../features/grouping/basis.ts';
import { ComponentTree } from '../../features/grouping/ComponentTree.tsx';
import { goOnFrom } from '../../features/grouping/go-on.ts';
import { type GroupingInfo, groupingInfoQuery, type IssueHash } from '../../features/grouping/queries.ts';
import { explanationTitle } from '../../features/grouping/tree.ts';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { type IssueDetail, issueHashesQuery } from '../../features/issues/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-grouping.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { SplitIcon } from '../../ui/icons.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupingHashes.module.css';

/** Why the events of this issue are together: each of its hashes with what made it. That of the shown event is open. */
export function GroupingHashes({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const org = useOrg();
  const hashes = useQuery(issueHashesQuery(org, issue.shortId));
  const own = hashes.data?.find(({ hash }) => event.fingerprints.includes(hash)) ?? hashes.data?.[0];
  // Problems found in traces, and views of a server's failure, are not grouped by what is in their event.
  const byEvent = issue.issueCategory === 'error' && own !== undefined && own.basis !== 'twin';
  const info = useQuery({ ...groupingInfoQuery(org, issue.project.slug, event.eventID), enabled: byEvent });
  return (
    <Panel title={m.why} id="grouping">
      <QueryView
        query={hashes}
        loading={m.whyLoading}
        failed={m.whyFailed}
        height={28}
        empty={<Nothing>{m.noHash}</Nothing>}
      >
        {(data) => (
          <>
            {byEvent && info.data && <Rules info={info.data} />}
            <Hashes key={issue.id} issue={issue} hashes={data} own={own?.hash} />
          </>
        )}
      </QueryView>
    </Panel>
  );
}

/** Which rules had a say about the shown event, and whether it would be grouped differently today. */
export function Rules({ info: { rules, stored, fingerprint, version } }: { readonly info: GroupingInfo }) {
  if (rules.length === 0 && stored.same) return null;
  return (
    <div className={styles.why}>
      {rules.map(({ kind, line, text: rule }) => (
        <p key={`${kind} ${line} ${rule}`}>
          {line === null ? m.rules[kind]({ rule }) : m.rulesInLine[kind]({ line: String(line), rule })}
        </p>
      ))}
      {fingerprint && <p>{m.fingerprint({ fingerprint: fingerprint.join(', ') })}</p>}
      {!stored.same && <p>{m.changed({ version })}</p>}
    </div>
  );
}

function Hashes({
  issue,
  hashes,
  own,
}: {
  readonly issue: IssueDetail;
  readonly hashes: readonly IssueHash[];
  readonly own: string | undefined;
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { moveOut } = useGroupingActions();
  const may = useMay('event:write');
  // The same events looked at in another way have hashes too, which count none themselves.
  const counted = hashes.filter(({ count, hash }) => count > 0 || hash === own);
  const spare = hashes.filter((hash) => !counted.includes(hash));
  const several = may && counted.length > 1;
  // What was moved out meanwhile, here or by someone else, is chosen no longer.
  const moving = counted.filter(({ hash }) => chosen.has(hash)).map(({ hash }) => hash);
  const toggle = (hash: string): void => {
    const next = new Set(chosen);
    if (!next.delete(hash)) next.add(hash);
    setChosen(next);
  };
  return (
    <>
      <DataList label={m.hashes} open>
        {counted
          .toSorted((a, b) => Number(b.hash === own) - Number(a.hash === own))
          .map((hash) => (
            <HashRow
              key={hash.hash}
              hash={hash}
              own={hash.hash === own}
              {...(several && { chosen: chosen.has(hash.hash), onToggle: () => toggle(hash.hash) })}
            />
          ))}
      </DataList>
      {spare.length > 0 && (
        <details className={styles.spare}>
          <summary>{m.spare({ count: spare.length, note: faint })}</summary>
          <ul>
            {spare.map((hash) => (
              <li key={hash.hash}>
                <code>{hash.hash}</code>{' '}
                <Text tone="faint">
                  <span translate="no">{explanationTitle(hash.explanation)}</span>
                </Text>
              </li>
            ))}
          </ul>
        </details>
      )}
      {several && (
        <div className={styles.move} role="toolbar" aria-label={m.selected}>
          <Button
            size="small"
            icon={<SplitIcon size={14} />}
            busy={moveOut.isPending}
            disabled={moving.length === 0 || moving.length === counted.length}
            onClick={(event) => {
              goOnFrom(event.currentTarget);
              setChosen(new Set());
              moveOut.mutate({ hashes: moving, from: issue });
            }}
          >
            {m.moveOut}
          </Button>
          <output>
            <Text tone="faint" small>
              {hint(moving.length, counted.length)}
            </Text>
          </output>
        </div>
      )}
    </>
  );
}

/** A hash with what it was made from; to be chosen where there are several. */
export function HashRow({
  hash,
  own,
  chosen,
  onToggle,
}: {
  readonly hash: IssueHash;
  /** Whether the shown event has it. */
  readonly own: boolean;
  readonly chosen?: boolean;
  readonly onToggle?: () => void;
}) {
  const [open, setOpen] = useState(own);
  const id = useId();
  const isOneOfSeveral = onToggle !== undefined;
  const { firstSeen, lastSeen } = hash;
  return (
    <DataRow
      lead={
        isOneOfSeveral && (
          <input
            type="checkbox"
            checked={chosen}
            aria-label={m.selectHash({ hash: hash.hash.slice(0, 8) })}
            onChange={onToggle}
          />
        )
      }
      title={
        <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
          <span>
            <strong>{m.groupedBy({ basis: basisWords(hash.basis) })}</strong>{' '}
            {isOneOfSeveral && <code>{explanationTitle(hash.explanation)}</code>}{' '}
            {isOneOfSeveral && own && (
              <Text tone="faint" small>
                {m.thisEvent}
              </Text>
            )}
          </span>
        </Disclosure>
      }
      end={
        <>
          <span>{m.eventCount({ count: hash.count, n: <EventCount of={hash} /> })}</span>
          {lastSeen && <span>{m.last({ when: <Time at={lastSeen} /> })}</span>}
          {firstSeen && <span>{m.first({ when: <Time at={firstSeen} /> })}</span>}
        </>
      }
    >
      {open && (
        <div id={id} className={styles.parts}>
          <ComponentTree nodes={hash.explanation} />
          <Text as="p" tone="faint" small>
            <code>{hash.hash}</code> · <code>{hash.version}</code>
          </Text>
        </div>
      )}
    </DataRow>
  );
}

const faint = (text: ReactNode): ReactNode => <Text tone="faint">{text}</Text>;

function hint(count: number, all: number): string {
  if (count === 0) return m.moveOutHint;
  return count === all ? m.moveOutAll : m.selectedCount({ count });
}
