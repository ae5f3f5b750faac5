import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { draftOf } from '../../features/alerts/draft.ts';
import { type AlertRule, ruleQuery } from '../../features/alerts/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { Stack } from '../../ui/Layout.tsx';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { notFound } from './empty.ts';
import { History } from './History.tsx';
import { RuleActions } from './RuleActions.tsx';
import { RuleForm } from './RuleForm.tsx';
import styles from './RulePage.module.css';
import { RuleState } from './RuleState.tsx';

const route = getRouteApi('/shell/alerts/$rule');

/** One rule: how it is, what it would do as it is written, and what it did. */
export function RulePage() {
  const org = useOrg();
  const may = useMay('event:write');
  const navigate = useNavigate();
  const { rule: id } = route.useParams();
  const asked = useQuery(ruleQuery(org, id));
  const rule = asked.data;
  useTitle(rule?.name ?? m.rule, m.title);
  if (asked.error instanceof ApiError && asked.error.status === 404) return <Empty of={notFound} />;
  return (
    <>
      <PageBar
        title={
          <Crumbs>
            <Link to="/alerts">{m.title}</Link>
            {rule ? <span translate="no">{rule.name}</span> : m.rule}
          </Crumbs>
        }
      >
        {rule && may && <RuleActions rule={rule} onDeleted={() => void navigate({ to: '/alerts' })} />}
      </PageBar>
      <div className={styles.page}>
        <QueryView query={asked} loading={m.loadingRule} failed={m.ruleFailed} rows={6} height={64}>
          {(one) => (
            <Stack gap={24}>
              <RuleHead rule={one} />
              <RuleForm key={one.id} initial={draftOf(one)} rule={one} />
              <History rule={one} />
            </Stack>
          )}
        </QueryView>
      </div>
    </>
  );
}

function RuleHead({ rule }: { readonly rule: AlertRule }) {
  return (
    <Stack gap={4}>
      <RuleState rule={rule} />
      <p className={styles.sentence}>
        <span translate="no">{rule.sentence}</span>{' '}
        {rule.stateSince && (
          <Text tone="faint" small>
            {m.stateSince({ when: <Time at={rule.stateSince} /> })}
          </Text>
        )}
      </p>
      {rule.problem && (
        <Text as="p" tone="error">
          <span translate="no">{rule.problem}</span>
        </Text>
      )}
      {!rule.mayChange && (
        <Text as="p" tone="faint" small>
          {m.readOnly({ who: rule.whoMayChange ?? '' })}
        </Text>
      )}
    </Stack>
  );
}
