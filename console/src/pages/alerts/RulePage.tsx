import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { draftOf } from '../../features/alerts/draft.ts';
import { ruleQuery } from '../../features/alerts/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { History } from './History.tsx';
import { RuleActions } from './RuleActions.tsx';
import { RuleForm } from './RuleForm.tsx';
import styles from './RulePage.module.css';
import { RuleState } from './RuleState.tsx';

const route = getRouteApi('/shell/alerts/$rule');

/** One rule: how it is, what it would do as it is written, and what it did. */
export function RulePage() {
  const org = useOrg();
  const navigate = useNavigate();
  const { rule: id } = route.useParams();
  const asked = useQuery(ruleQuery(org, id));
  const rule = asked.data;
  useTitle(rule?.name ?? 'Rule', 'Alerts');
  if (asked.error instanceof ApiError && asked.error.status === 404)
    return (
      <EmptyState level={1} title="There is no such rule">
        <p>It was deleted or never existed.</p>
        <Link to="/alerts" className={buttonClass()}>
          All rules
        </Link>
      </EmptyState>
    );
  return (
    <>
      <PageBar
        title={
          <>
            <Link to="/alerts" className={styles.up}>
              Alerts
            </Link>{' '}
            / {rule?.name ?? 'Rule'}
          </>
        }
      >
        {rule && <RuleActions rule={rule} onDeleted={() => void navigate({ to: '/alerts' })} />}
      </PageBar>
      <div className={styles.page}>
        {asked.isPending ? (
          <Skeleton rows={6} height={64} label="Loading the rule" />
        ) : rule === undefined ? (
          <ErrorState error={asked.error} retry={() => void asked.refetch()} what="The rule could not be loaded" />
        ) : (
          <>
            <div className={styles.head}>
              <RuleState rule={rule} />
              <p>
                {rule.sentence}
                {rule.stateSince && (
                  <span className={styles.faint}>
                    {' '}
                    So since <Time at={rule.stateSince} />.
                  </span>
                )}
              </p>
              {rule.problem && <p className={styles.wrong}>{rule.problem}</p>}
              {!rule.mayChange && (
                <p className={styles.faint}>
                  Only {rule.whoMayChange} can change, disable or delete this rule. You can mute it for yourself.
                </p>
              )}
            </div>
            <RuleForm key={rule.id} initial={draftOf(rule)} rule={rule} />
            <History rule={rule} />
          </>
        )}
      </div>
    </>
  );
}
