import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { issueTagsQuery, type IssueDetail, type IssueTag } from '../../features/issues/queries.ts';
import { splitTerms, toggleTerm } from '../../features/issues/query-terms.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { percent, plural } from '../../ui/numbers.ts';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { fitting, isConstant, maxValues, useRoom } from './tag-room.ts';
import styles from './TagSpread.module.css';

const route = getRouteApi('/shell/issues/$issue');

/** How the issue's events spread over the values of each tag; a click keeps only those events. */
export function TagSpread({ issue, filter }: { readonly issue: IssueDetail; readonly filter: string }) {
  const org = useOrg();
  const { environment } = route.useSearch();
  const navigate = route.useNavigate();
  const [all, setAll] = useState(false);
  const tags = useQuery({ ...issueTagsQuery(org, issue.shortId, { environment }), refetchOnMount: false });
  const active = new Set(splitTerms(filter));
  const sampled = tags.data?.find((tag) => tag.sampled);
  const list = useRef<HTMLDivElement>(null);
  const room = useRoom(list);
  if (tags.data?.length === 0) return null;
  const sorted = tags.data?.toSorted(byInterest) ?? [];
  const shown = all ? sorted.length : fitting(sorted, room);
  return (
    <Panel
      title="Tags"
      id="tags"
      boxed={false}
      tools={sampled && <span className={styles.note}>from the newest {plural(sampled.events, 'event')}</span>}
    >
      <div ref={list}>
        {tags.isPending ? (
          <Skeleton rows={6} height={44} label="Loading tags" />
        ) : tags.isError ? (
          <ErrorState error={tags.error} retry={() => void tags.refetch()} what="The tags could not be loaded" />
        ) : (
          <>
            <ul className={styles.tags}>
              {sorted.slice(0, shown).map((tag) => (
                <TagBars
                  key={tag.key}
                  tag={tag}
                  active={active}
                  onValue={(value) =>
                    void navigate({
                      search: (before) => ({
                        ...before,
                        q: toggleTerm(filter, termText(tag.key, value)) || undefined,
                        event: undefined,
                      }),
                    })
                  }
                />
              ))}
            </ul>
            {(all || sorted.length > shown) && (
              <Button size="small" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? 'Fewer tags' : plural(sorted.length - shown, 'more tag')}
              </Button>
            )}
          </>
        )}
      </div>
    </Panel>
  );
}

interface BarsProps {
  readonly tag: IssueTag;
  readonly active: ReadonlySet<string>;
  readonly onValue: (value: string) => void;
}

function TagBars({ tag, active, onValue }: BarsProps) {
  const values = tag.topValues.slice(0, maxValues);
  const rest = tag.uniqueValues - values.length;
  const [only] = values;
  // A value that never changes needs no list of one.
  if (only && isConstant(tag)) {
    return (
      <li className={styles.constant}>
        <h3 className={styles.key}>{tag.key}</h3>
        <Value tag={tag} value={only} active={active} onValue={onValue} />
      </li>
    );
  }
  return (
    <li>
      <h3 className={styles.key}>
        {tag.key}
        {rest > 0 && <span className={styles.note}>{plural(rest, 'more value')}</span>}
      </h3>
      <ul>
        {values.map((value) => (
          <li key={value.value}>
            <Value tag={tag} value={value} active={active} onValue={onValue} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Value({ tag, value, active, onValue }: BarsProps & { readonly value: IssueTag['topValues'][number] }) {
  const on = active.has(termText(tag.key, value.value));
  return (
    <button
      type="button"
      className={cx(styles.value, on && styles.active)}
      aria-pressed={on}
      onClick={() => onValue(value.value)}
      data-tip={`${plural(value.count, 'event')}, click to show only these`}
    >
      <span className={styles.bar} style={{ width: `${Math.max(1, value.share * 100)}%` }} aria-hidden="true" />
      <span className={styles.name}>{value.name || value.value || '(empty)'}</span>
      <span className={styles.share}>{percent(value.count, tag.totalValues)}</span>
    </button>
  );
}

/** Tags that differ between events first: they tell something. */
function byInterest(a: IssueTag, b: IssueTag): number {
  return Number(isConstant(a)) - Number(isConstant(b));
}
