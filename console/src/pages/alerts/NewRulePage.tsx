import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { draftOf, newDraft, type RuleDraft } from '../../features/alerts/draft.ts';
import { suggestionsQuery } from '../../features/alerts/queries.ts';
import { channelsQuery } from '../../features/channels/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { RuleForm } from './RuleForm.tsx';
import styles from './RulePage.module.css';

const route = getRouteApi('/shell/alerts/new');

/** A rule to come, empty or from a suggestion. */
export function NewRulePage() {
  useTitle(m.newRule, m.title);
  const org = useOrg();
  const navigate = useNavigate();
  const { suggestion, kind = 'issue', project } = route.useSearch();
  const projects = useQuery(projectsQuery(org));
  const channels = useQuery(channelsQuery(org));
  const suggestions = useQuery({ ...suggestionsQuery(org, project), enabled: suggestion !== undefined });
  const isReady = !projects.isPending && !channels.isPending && (suggestion === undefined || !suggestions.isPending);

  /** By default the project of the page and the first channel that works. */
  const initial = (): RuleDraft => {
    const suggested = suggestions.data?.find(({ id }) => id === suggestion);
    const draft = suggested ? draftOf(suggested.rule) : newDraft(kind);
    const own = projects.data?.find(({ slug }) => slug === project);
    const channel = channels.data?.find(({ enabled }) => enabled);
    return {
      ...draft,
      projectIds: draft.projectIds.length || !own ? draft.projectIds : [own.id],
      channelIds: draft.channelIds.length || !channel ? draft.channelIds : [channel.id],
    };
  };

  return (
    <>
      <PageBar
        title={
          <Crumbs>
            <Link to="/alerts">{m.title}</Link>
            {m.newRule}
          </Crumbs>
        }
      />
      <div className={styles.page}>
        {isReady ? (
          <RuleForm
            key={suggestion ?? kind}
            initial={initial()}
            onSaved={({ id }) => void navigate({ to: '/alerts/$rule', params: { rule: id }, replace: true })}
          />
        ) : (
          <Skeleton rows={6} height={64} label={m.loadingRule} />
        )}
      </div>
    </>
  );
}
