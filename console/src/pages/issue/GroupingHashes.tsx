import { useQuery } from '@tanstack/react-query';
import { SplitIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { basisWords } from '../../features/grouping/basis.ts';
import { ComponentTree } from '../../features/grouping/ComponentTree.tsx';
import { goOnFrom } from '../../features/grouping/go-on.ts';
import { groupingInfoQuery, type GroupingInfo, type IssueHash } from '../../features/grouping/queries.ts';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import { explanationTitle } from '../../features/grouping/tree.ts';
import type { Event } from '../../features/event/types.ts';
import { issueHashesQuery, type IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
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
    <Panel title="Why grouped" id="grouping">
      {hashes.isPending ? (
        <Skeleton rows={3} height={28} label="Loading grouping" />
      ) : hashes.isError ? (
        <ErrorState error={hashes.error} retry={() => void hashes.refetch()} what="The grouping could not be loaded" />
      ) : hashes.data.length === 0 ? (
        <p className={styles.note}>No hash is known for this issue.</p>
      ) : (
        <>
          {byEvent && info.data && <Rules info={info.data} />}
          <Hashes key={issue.id} issue={issue} hashes={hashes.data} own={own?.hash} />
        </>
      )}
    </Panel>
  );
}

/** Which rules had a say about the shown event, and whether it would be grouped differently today. */
function Rules({ info: { rules, stored, fingerprint, version } }: { readonly info: GroupingInfo }) {
  if (rules.length === 0 && stored.same) return null;
  return (
    <div className={styles.note}>
      {rules.map((rule) => (
        <p key={`${rule.kind} ${rule.line} ${rule.text}`}>
          {ruleKinds[rule.kind]}
          {rule.line !== null && ` in line ${rule.line}`}: <code>{rule.text}</code>
        </p>
      ))}
      {fingerprint && (
        <p>
          Fingerprint of the shown event: <code>{fingerprint.join(', ')}</code>
        </p>
      )}
      {!stored.same && (
        <p>
          The rules or the algorithm changed since this event came: grouped today, by {version}, it would get another
          hash.
        </p>
      )}
    </div>
  );
}

const ruleKinds: Readonly<Record<GroupingInfo['rules'][number]['kind'], string>> = {
  fingerprint: 'Fingerprint rule',
  stackTrace: 'Stack-trace rule',
  'built-in': 'Built-in rule',
};

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
  // The same events looked at in another way have hashes too, which count none themselves.
  const counted = hashes.filter(({ count, hash }) => count > 0 || hash === own);
  const spare = hashes.filter((hash) => !counted.includes(hash));
  const several = counted.length > 1;
  // What was moved out meanwhile, here or by somebody else, is chosen no more.
  const moving = counted.filter(({ hash }) => chosen.has(hash)).map(({ hash }) => hash);
  const toggle = (hash: string): void => {
    const next = new Set(chosen);
    if (!next.delete(hash)) next.add(hash);
    setChosen(next);
  };
  return (
    <>
      <ul className={styles.hashes} aria-label="Hashes of this issue">
        {counted
          .toSorted((a, b) => Number(b.hash === own) - Number(a.hash === own))
          .map((hash) => (
            <li key={hash.hash} className={styles.hash}>
              {several && (
                <label className={styles.check}>
                  <input
                    type="checkbox"
                    checked={chosen.has(hash.hash)}
                    aria-label={`Choose hash ${hash.hash.slice(0, 8)}`}
                    onChange={() => toggle(hash.hash)}
                  />
                </label>
              )}
              <details open={hash.hash === own}>
                <summary>
                  <span className={styles.headline}>
                    <strong>Grouped by {basisWords(hash.basis)}</strong>
                    {several && <code>{explanationTitle(hash.explanation)}</code>}
                    {several && hash.hash === own && <span className={styles.faint}>the shown event</span>}
                  </span>
                  <span className={styles.facts}>
                    <span>{plural(hash.count, 'event')}</span>
                    {hash.lastSeen && (
                      <span>
                        last <Time at={hash.lastSeen} />
                      </span>
                    )}
                    {hash.firstSeen && (
                      <span>
                        first <Time at={hash.firstSeen} />
                      </span>
                    )}
                  </span>
                </summary>
                <div className={styles.parts}>
                  <ComponentTree nodes={hash.explanation} />
                  <p className={styles.faint}>
                    <code>{hash.hash}</code> · {hash.version}
                  </p>
                </div>
              </details>
            </li>
          ))}
      </ul>
      {spare.length > 0 && (
        <details className={styles.spare}>
          <summary>
            {plural(spare.length, 'more hash', 'more hashes')}{' '}
            <span className={styles.faint}>without events of their own</span>
          </summary>
          <ul>
            {spare.map((hash) => (
              <li key={hash.hash}>
                <code>{hash.hash}</code> <span className={styles.faint}>{explanationTitle(hash.explanation)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {several && (
        <div className={styles.bar} role="toolbar" aria-label="Chosen hashes">
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
            Move out into a new issue
          </Button>
          <output className={styles.faint}>{hint(moving.length, counted.length)}</output>
        </div>
      )}
    </>
  );
}

function hint(chosen: number, all: number): string {
  if (chosen === 0) return 'Choose hashes that are another failure; their events go with them.';
  if (chosen === all) return 'One hash has to stay.';
  return `${plural(chosen, 'hash', 'hashes')} chosen`;
}
