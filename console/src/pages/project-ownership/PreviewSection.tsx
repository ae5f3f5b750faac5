import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type OwnershipPreview, ownershipPreviewQuery } from '../../features/ownership/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/ownership-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing } from '../../ui/Text.tsx';
import styles from './OwnershipPage.module.css';
import { PreviewRow } from './PreviewRow.tsx';
import { TestResult } from './TestResult.tsx';

const shownAtFirst = 10;

/** Who the latest issues would go to by the rules as they are written, and which rules match any one issue. */
export function PreviewSection({ slug, raw }: { readonly slug: string; readonly raw: string }) {
  const org = useOrg();
  const preview = useQuery(ownershipPreviewQuery(org, slug, raw));
  const [all, setAll] = useState(false);
  const [text, setText] = useState('');
  const [tested, setTested] = useState('');
  const test = (): void => setTested(text.trim());
  return (
    <Section title={m.preview} note={preview.data && summary(preview.data)}>
      <div className={styles.test}>
        <TextField
          label={m.test}
          placeholder={m.testPlaceholder}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            test();
          }}
        />
        <Button disabled={text.trim() === ''} onClick={test}>
          {m.testAction}
        </Button>
      </div>
      {tested && <TestResult slug={slug} issue={tested} raw={raw} onClose={() => setTested('')} />}
      <QueryView query={preview} loading={m.testing} failed={m.testFailed} rows={4}>
        {({ issues }) =>
          issues.length === 0 ? (
            <Nothing>{m.noIssues}</Nothing>
          ) : (
            <>
              <DataList>
                {issues.slice(0, all ? undefined : shownAtFirst).map((issue) => (
                  <PreviewRow
                    key={issue.id}
                    issue={issue}
                    onTest={() => {
                      setText(issue.shortId);
                      setTested(issue.shortId);
                    }}
                  />
                ))}
              </DataList>
              {!all && issues.length > shownAtFirst && (
                <Inline>
                  <Button size="small" onClick={() => setAll(true)}>
                    {m.all({ count: issues.length })}
                  </Button>
                </Inline>
              )}
            </>
          )
        }
      </QueryView>
    </Section>
  );
}

const summary = ({ issues, unowned }: OwnershipPreview): string =>
  issues.length === 0 ? '' : m.summary({ issues: issues.length, owned: issues.length - unowned });
