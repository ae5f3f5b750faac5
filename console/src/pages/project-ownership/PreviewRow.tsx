import { Link } from '@tanstack/react-router';
import type { OwnershipPreview } from '../../features/ownership/queries.ts';
import { ownerWords, sourceWords } from '../../features/ownership/words.ts';
import * as m from '../../messages/ownership-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Text } from '../../ui/Text.tsx';

/** An issue, which it leads to, with its owner by the rules, and the line that decides. */
export function PreviewRow({
  issue,
  onTest,
}: {
  readonly issue: OwnershipPreview['issues'][number];
  readonly onTest: () => void;
}) {
  const { shortId, title, source, line, why, owner } = issue;
  return (
    <DataRow
      title={
        <Link to="/issues/$issue" params={{ issue: shortId }} className={rowLinkClass} translate="no">
          {shortId} {title}
        </Link>
      }
      facts={
        <Facts>
          {source && line !== null ? m.matched({ source: sourceWords(source, line), why: why ?? '' }) : m.noRule}
        </Facts>
      }
      end={owner ? <strong translate="no">{ownerWords(owner)}</strong> : <Text tone="faint">{m.nobody}</Text>}
      actions={
        <Button size="small" variant="ghost" aria-label={m.whyOf({ issue: shortId })} onClick={onTest}>
          {m.why}
        </Button>
      }
    />
  );
}
