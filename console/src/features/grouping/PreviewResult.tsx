import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/grouping-preview.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './PreviewResult.module.css';
import { examinedWords, verdictWords } from './preview-words.ts';
import type { PreviewResult as Result } from './queries.ts';

type Ref = Result['splits'][number]['issue'];

/** Which issues would become one, and which would split. */
export function PreviewResult({ result }: { readonly result: Result }) {
  const { merges, splits } = result;
  return (
    <Stack>
      <p>
        <strong>{verdictWords(result)}.</strong> <Text>{examinedWords(result)}</Text>
      </p>
      {merges.length > 0 && (
        <Part id="preview-merges" title={m.merges}>
          {merges.map(({ into, title, issues }) => (
            <DataRow
              key={issues.map(({ issue }) => issue.id).join(' ')}
              title={
                <>
                  <span translate="no">{title}</span> <Text>{into ? m.into({ issue: into.shortId }) : m.intoNew}</Text>
                </>
              }
              facts={
                <ul className={styles.parts}>
                  {issues.map(({ issue, events }) => (
                    <li key={issue.id}>
                      <IssueLink issue={issue} /> <Text>{m.events({ count: events })}</Text>
                    </li>
                  ))}
                </ul>
              }
            />
          ))}
        </Part>
      )}
      {splits.length > 0 && (
        <Part id="preview-splits" title={m.splits}>
          {splits.map(({ issue, parts }) => (
            <DataRow
              key={issue.id}
              title={
                <>
                  <IssueLink issue={issue} /> <Text>{m.intoParts({ count: parts.length })}</Text>
                </>
              }
              facts={
                <ul className={styles.parts}>
                  {parts.map((part) => (
                    <li key={part.exampleEventId}>
                      <Link
                        to="/issues/$issue"
                        params={{ issue: issue.shortId }}
                        search={{ event: part.exampleEventId }}
                        target="_blank"
                        translate="no"
                      >
                        {part.title}
                      </Link>{' '}
                      {part.fingerprint && <code>{part.fingerprint.join(', ')}</code>}{' '}
                      <Text>{m.events({ count: part.events })}</Text>
                    </li>
                  ))}
                </ul>
              }
            />
          ))}
        </Part>
      )}
    </Stack>
  );
}

function Part({ id, title, children }: { readonly id: string; readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <Stack gap={8}>
        <h3 id={id}>{title}</h3>
        <DataList>{children}</DataList>
      </Stack>
    </section>
  );
}

/** In a tab of its own: here something is being written. */
function IssueLink({ issue }: { readonly issue: Ref }) {
  return (
    <Link to="/issues/$issue" params={{ issue: issue.shortId }} target="_blank" translate="no">
      {issue.shortId} {issue.title}
    </Link>
  );
}
