import { useEffect } from 'react';
import * as m from '../../messages/issues.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { useTitle } from '../../ui/title.ts';
import { NewsBar } from '../../ui/NewsBar.tsx';
import styles from './IssuesPage.module.css';
import { ListHead, SelectionBar } from './ListHead.tsx';
import { ListTools } from './ListTools.tsx';
import { newsSentence } from './news.ts';
import { PeekPanel, ShownIssues } from './ShownIssues.tsx';
import { nameOfAll } from './counts.ts';
import { useIssueList } from './use-issue-list.ts';

const RuleOffer = lazily(async () => (await import('../../features/grouping/RuleOffer.tsx')).RuleOffer);
const TriageMenu = lazily(async () => (await import('../../features/triage/TriageMenu.tsx')).TriageMenu);
const BulkProgress = lazily(async () => (await import('../../features/triage/BulkProgress.tsx')).BulkProgress);
const ConfirmDelete = lazily(async () => (await import('../../features/triage/ConfirmDelete.tsx')).ConfirmDelete);

/** The issues of a search, with what can be done with them. */
export function IssuesPage() {
  const all = useIssueList();
  const { search, list, state, projects } = all;
  const { news, merged, open } = state;
  const word = newsSentence(news);
  const project = projects?.find((each) => each.slug === search.project);
  useTitle(news.fresh.size > 0 && m.newTitle({ count: news.fresh.size }), m.title, project?.name);

  // Opened within one frame of the key: their code comes once the list is there.
  const isThere = list.isFetched;
  useEffect(() => {
    if (isThere) for (const { preload } of [SelectionBar, TriageMenu, PeekPanel]) preload();
  }, [isThere]);

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar />
      </PageBar>
      <ListTools search={search} error={list.error} onSearch={all.ask} />
      <ListHead all={all} />
      {isThere && <BulkProgress />}
      {merged && <RuleOffer issue={merged.shortId} project={merged.project} onClose={() => all.setMerged(undefined)} />}
      {word && (
        <NewsBar className={styles.news} tip={m.showNews} onClick={all.refresh}>
          {word}
        </NewsBar>
      )}
      <ShownIssues all={all} />
      {open?.what === 'menu' && (
        <TriageMenu
          kind={open.kind}
          anchor={open.anchor}
          targets={open.targets}
          onAct={(action) => all.act(action, open.targets)}
          onClose={all.close}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDelete
          targets={open.targets}
          discard={open.discard}
          everything={state.whole ? { name: nameOfAll(list.data), run: all.actOnAll } : undefined}
          onDone={all.select.clear}
          onClose={all.close}
        />
      )}
      <PageLinks list="/issues" cursors={list.data} cursor={search.cursor} />
    </>
  );
}
