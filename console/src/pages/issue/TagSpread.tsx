import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { aboutCount, ShareOf } from '../../features/issues/EventCount.tsx';
import { issueTagsQuery, type IssueDetail, type IssueTag } from '../../features/issues/queries.ts';
import { splitTerms, toggleTerm } from '../../features/issues/query-terms.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-side.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { fitting, isConstant, maxValues, useRoom } from './tag-room.ts';
import styles from './TagSpread.module.css';

const route = getRouteApi('/shell/issues/$issue');

/** How the issue's events spread over the values of each tag; a click keeps only those events. */
export function TagSpread({ issue, filter }: { readonly issue: IssueDetail; readonly filter: string }) {
  const org = useOrg();
  const { environment } = route.useSearch();
  const navigate = route.useNavigate();
  const tags = useQuery({ ...issueTagsQuery(org, issue.shortId, { environment }), refetchOnMount: false });
  const list = useRef<HTMLDivElement>(null);
  const room = useRoom(list);
  if (tags.data?.length === 0) return null;
  const sampled = tags.data?.find((tag) => tag.sampled);
  return (
    <Panel
      title={m.tags}
      id="tags"
      boxed={false}
      tools={
        sampled && (
          <Text tone="faint" small>
            {m.tagsSampled({ count: sampled.events })}
          </Text>
        )
      }
    >
      <div ref={list}>
        <QueryView query={tags} loading={m.tagsLoading} failed={m.tagsFailed} rows={6} height={44}>
          {(data) => (
            <TagList
              tags={data}
              room={room}
              active={new Set(splitTerms(filter))}
              onValue={(key, value) =>
                void navigate({
                  search: (before) => ({
                    ...before,
                    q: toggleTerm(filter, termText(key, value)) || undefined,
                    event: undefined,
                  }),
                })
              }
            />
          )}
        </QueryView>
      </div>
    </Panel>
  );
}

interface Chosen {
  /** Terms of the filter. */
  readonly active: ReadonlySet<string>;
  readonly onValue: (key: string, value: string) => void;
}

export function TagList({
  tags,
  room,
  ...chosen
}: Chosen & {
  readonly tags: readonly IssueTag[];
  /** px */
  readonly room: number;
}) {
  const [all, setAll] = useState(false);
  const sorted = tags.toSorted(byInterest);
  const shown = all ? sorted.length : fitting(sorted, room);
  return (
    <>
      <ul className={styles.tags}>
        {sorted.slice(0, shown).map((tag) => (
          <TagBars key={tag.key} tag={tag} {...chosen} />
        ))}
      </ul>
      {(all || sorted.length > shown) && (
        <Button size="small" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? m.fewerTags : m.moreTags({ count: sorted.length - shown })}
        </Button>
      )}
    </>
  );
}

function TagBars({ tag, ...chosen }: Chosen & { readonly tag: IssueTag }) {
  const values = tag.topValues.slice(0, maxValues);
  const rest = tag.uniqueValues - values.length;
  const [only] = values;
  // A value that never changes needs no list of one.
  if (only && isConstant(tag)) {
    return (
      <li className={styles.constant}>
        <h3 className={styles.key} translate="no">
          {tag.key}
        </h3>
        <Value tag={tag} value={only} {...chosen} />
      </li>
    );
  }
  return (
    <li>
      <h3 className={styles.key}>
        <span translate="no">{tag.key}</span>
        {rest > 0 && (
          <Text tone="faint" small>
            {m.moreValues({ count: rest })}
          </Text>
        )}
      </h3>
      <ul>
        {values.map((value) => (
          <li key={value.value}>
            <Value tag={tag} value={value} {...chosen} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Value({
  tag,
  value,
  active,
  onValue,
}: Chosen & { readonly tag: IssueTag; readonly value: IssueTag['topValues'][number] }) {
  const name = value.name || value.value;
  const about = aboutCount(value);
  return (
    <button
      type="button"
      className={styles.value}
      aria-pressed={active.has(termText(tag.key, value.value))}
      onClick={() => onValue(tag.key, value.value)}
      data-tip={about === undefined ? m.valueTip({ count: value.count }) : m.valueTipAbout({ count: about })}
    >
      <span className={styles.fill} style={{ width: `${Math.max(1, value.share * 100)}%` }} aria-hidden="true" />
      <span className={styles.name}>{name ? <code>{name}</code> : m.emptyValue}</span>
      <span className={styles.part}>
        <ShareOf of={value} total={tag.totalValues} />
      </span>
    </button>
  );
}

/** Tags that differ between events first: they tell something. */
function byInterest(a: IssueTag, b: IssueTag): number {
  return Number(isConstant(a)) - Number(isConstant(b));
}
