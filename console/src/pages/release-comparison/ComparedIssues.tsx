import { aboutCount, shortCount } from '../../features/issues/EventCount.tsx';
import { factorWords } from '../../features/releases/comparison-rows.ts';
import { releaseName } from '../../features/release-names/names.ts';
import type { ComparedIssue, Comparison } from '../../features/releases/health-queries.ts';
import { IssueLine } from '../../features/releases/IssueLine.tsx';
import * as m from '../../messages/release-comparison.ts';
import { compactNumber } from '../../ui/numbers.ts';
import { DataList } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Nothing } from '../../ui/Text.tsx';

type Kind = 'new' | 'worse' | 'gone' | 'better';

const titleOf = (kind: Kind): string => m.kinds[kind === 'new' ? 'added' : kind];

function emptyWords(kind: Exclude<Kind, 'better'>, { basis, ...sides }: Comparison): string {
  const [from, to] = [sides.from, sides.to].map((side) => releaseName(side, [sides.from, sides.to]));
  const names = { from: from ?? '', to: to ?? '' };
  if (kind === 'worse') return m.noneWorse[basis];
  return kind === 'new' ? m.noneNew(names) : m.noneGone(names);
}

/** Issues that changed in one way. What got better is left out where nothing did. */
export function ComparedIssues({ kind, comparison }: { readonly kind: Kind; readonly comparison: Comparison }) {
  const { total, issues } = comparison[kind];
  if (kind === 'better' && total === 0) return null;
  return (
    <Panel title={titleOf(kind)} id={kind} count={total} boxed={false}>
      {total === 0 && kind !== 'better' ? (
        <Nothing>{emptyWords(kind, comparison)}</Nothing>
      ) : (
        <DataList label={titleOf(kind)}>
          {issues.map((compared) => (
            <ComparedRow key={compared.issue.id} compared={compared} basis={comparison.basis} />
          ))}
        </DataList>
      )}
      {total > issues.length && <Nothing>{m.more({ count: total - issues.length })}</Nothing>}
    </Panel>
  );
}

export function ComparedRow({
  compared: { issue, before, after, estimated, factor },
  basis,
}: {
  readonly compared: ComparedIssue;
  readonly basis: Comparison['basis'];
}) {
  const much = factorWords(factor);
  const from = { count: before, estimated: estimated.before };
  const to = { count: after, estimated: estimated.after };
  const spoken = {
    from: aboutCount(from) ?? compactNumber(before),
    to: aboutCount(to) ?? compactNumber(after),
  };
  const isEstimate = estimated.before !== null || estimated.after !== null;
  return (
    <IssueLine
      issue={issue}
      flag={
        issue.status !== 'unresolved' && (
          <Flag kind={issue.status === 'resolved' ? 'resolved' : 'archived'}>
            {issue.status === 'resolved' ? m.resolved : m.archived}
          </Flag>
        )
      }
      end={
        <>
          <span data-tip={isEstimate ? m.fromTo(spoken) : undefined}>
            <span aria-hidden="true">
              {shortCount(from)} → {shortCount(to)}
            </span>
            <span className="visually-hidden">{m.fromTo(spoken)}</span>
          </span>
          {much && <span data-tip={m.bases[basis]}>{much}</span>}
        </>
      }
    />
  );
}
