import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { issueWords } from '../../features/issues/issue-words.ts';
import { type Issue, issuesQuery } from '../../features/issues/queries.ts';
import { transactionsRange } from '../../features/performance/queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/transaction.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { IssueMark } from '../../features/issues/IssueMark.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** Errors, and problems of performance, that happened in it. */
export function TransactionIssues({ search }: { readonly search: TransactionSearch }) {
  const { project, environment, start, end, transaction = '' } = search;
  const range = start ? undefined : (search.range ?? transactionsRange);
  const filters = { project, environment, range, start, end };
  const query = termText('transaction', transaction);
  const found = useQuery(
    issuesQuery({
      org: useOrg(),
      query,
      sort: 'freq',
      limit: 5,
      filters,
    }),
  );
  return (
    <Panel
      title={m.issues}
      id="issues"
      boxed={false}
      tools={
        <Link to="/issues" search={{ q: query, status: 'all', ...filters }}>
          {m.showIssues}
        </Link>
      }
    >
      <QueryView
        query={found}
        loading={m.loadingIssues}
        failed={m.issuesFailed}
        rows={2}
        height={44}
        empty={<Nothing>{m.noIssues}</Nothing>}
        isEmpty={({ issues }) => issues.length === 0}
      >
        {({ issues }) => (
          <DataList compact>
            {issues.map((issue) => (
              <IssueRow key={issue.id} issue={issue} />
            ))}
          </DataList>
        )}
      </QueryView>
    </Panel>
  );
}

function IssueRow({ issue }: { readonly issue: Issue }) {
  const { name, text } = issueWords(issue);
  return (
    <DataRow
      lead={<IssueMark issue={issue} />}
      title={
        <Text as="div" cut>
          <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={rowLinkClass} translate="no">
            {name} <Text>{text}</Text>
          </Link>
        </Text>
      }
      facts={
        <Facts>
          <span translate="no">{issue.shortId}</span>
          <span>{m.eventCount({ count: Number(issue.count), n: <EventCount of={issue} /> })}</span>
          <Time at={issue.lastSeen} />
        </Facts>
      }
    />
  );
}
