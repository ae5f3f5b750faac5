import { termText } from '@culprit/search';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Highlight, highlights } from '../../features/event/highlights.ts';
import type { Event } from '../../features/event/types.ts';
import { toggleTerm } from '../../features/issues/query-terms.ts';
import * as m from '../../messages/issue-side.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { FilterIcon } from '../../ui/icons.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Panel } from '../../ui/Panel.tsx';
import styles from './Highlights.module.css';

const route = getRouteApi('/shell/issues/$issue');

export function Highlights({ event, filter }: { readonly event: Event; readonly filter: string }) {
  const navigate = route.useNavigate();
  const rows = highlights(event);
  const known = new Set(event.tags.map((tag) => `${tag.key}\n${tag.value}`));
  if (rows.length === 0) return null;
  const narrow = (tag: string, value: string): void =>
    void navigate({
      search: (before) => ({ ...before, q: toggleTerm(filter, termText(tag, value)) || undefined, event: undefined }),
    });
  return (
    <Panel title={m.highlights} id="highlights">
      <KeyValue compact boxed>
        {rows.map((row) => (
          <HighlightRow
            key={row.label}
            highlight={row}
            onNarrow={row.tag !== undefined && known.has(`${row.tag}\n${row.value}`) ? narrow : undefined}
          />
        ))}
      </KeyValue>
    </Panel>
  );
}

/** A fact, to copy and, where a tag has it, to see the events that share it. */
export function HighlightRow({
  highlight: { label, value, tag },
  onNarrow,
}: {
  readonly highlight: Highlight;
  readonly onNarrow: ((tag: string, value: string) => void) | undefined;
}) {
  return (
    <Pair name={label}>
      <span className={styles.cell}>
        <span className={styles.value} title={value} translate="no">
          {tag === 'release' ? (
            <Link to="/releases/$version" params={{ version: value }}>
              {value}
            </Link>
          ) : (
            value
          )}
        </span>
        <span className={styles.hover}>
          {tag && onNarrow && (
            <IconButton
              size="small"
              label={m.onlyThis({ name: label })}
              icon={<FilterIcon size={14} />}
              onClick={() => onNarrow(tag, value)}
            />
          )}
          <CopyButton text={value} label={m.copyValue({ name: label })} />
        </span>
      </span>
    </Pair>
  );
}
