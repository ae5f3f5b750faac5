import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CloseIcon } from '../../ui/icons.ts';
import * as m from '../../messages/merging.ts';
import { buttonClass, IconButton } from '../../ui/Button.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { useMay, useOrg } from '../session/organization.ts';
import { mergesQuery, suggestedRuleQuery } from './queries.ts';
import styles from './RuleOffer.module.css';
import { sentence } from './rule-text.ts';

/** A merge joins what is known; the rule joins what is to come. Nothing is shown where there is no rule for it. */
export function RuleOffer({
  issue,
  project,
  onClose,
}: {
  /** Short id of the issue into which others were merged. */
  readonly issue: string;
  readonly project: string;
  readonly onClose?: () => void;
}) {
  const org = useOrg();
  const may = useMay('project:write');
  const { data: merges } = useQuery(mergesQuery(org, issue));
  const { data } = useQuery(suggestedRuleQuery(org, issue));
  // Unmerged meanwhile, it needs no rule.
  if (!may || !data?.rule || !merges?.length) return null;
  return (
    <section className={styles.offer} aria-label={m.offer}>
      <div>
        <p>{m.offerWhat({ issue: <strong translate="no">{issue}</strong> })}</p>
        <code className={styles.rule}>{data.rule}</code>
        <p className={styles.why} translate="no">
          {sentence(data.why)}
        </p>
      </div>
      <Inline>
        <Link
          to="/projects/$slug/settings/grouping"
          params={{ slug: project }}
          search={{ rule: data.rule }}
          className={buttonClass('normal', 'small')}
        >
          {m.previewRule}
        </Link>
        {onClose && <IconButton size="small" label={m.notNow} icon={<CloseIcon size={14} />} onClick={onClose} />}
      </Inline>
    </section>
  );
}
