import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type OwnershipPreview, ownershipPreviewQuery } from '../../features/ownership/queries.ts';
import { ownerWords, sourceWords } from '../../features/ownership/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { plural, pluralForm } from '../../ui/numbers.ts';
import { Card, Section } from '../../ui/Page.tsx';
import { BusyBar, ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './OwnershipPage.module.css';
import { TestResult } from './TestResult.tsx';

const shownAtFirst = 10;

/** Who the latest issues would go to by the rules as they stand, and which rules match any one issue. */
export function PreviewSection({ slug, raw }: { readonly slug: string; readonly raw: string }) {
  const org = useOrg();
  const preview = useQuery(ownershipPreviewQuery(org, slug, raw));
  const [all, setAll] = useState(false);
  const [text, setText] = useState('');
  const [tested, setTested] = useState('');
  const test = (): void => setTested(text.trim());
  const rows = preview.data?.issues ?? [];
  return (
    <Section title="Who the latest issues would go to" note={preview.data && summary(preview.data)}>
      <BusyBar busy={preview.isFetching && !preview.isPending} />
      <div className={styles.test}>
        <TextField
          label="Try an issue"
          placeholder="WEB-12"
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
          Which rules match?
        </Button>
      </div>
      {tested && <TestResult slug={slug} issue={tested} raw={raw} onClose={() => setTested('')} />}
      {preview.isPending ? (
        <Skeleton rows={4} height={48} label="Trying the rules" />
      ) : preview.isError ? (
        <ErrorState error={preview.error} retry={() => void preview.refetch()} what="The rules could not be tried" />
      ) : rows.length === 0 ? (
        <p className={styles.hint}>There is no issue yet to try the rules on.</p>
      ) : (
        <>
          <Card>
            <ul>
              {rows.slice(0, all ? undefined : shownAtFirst).map((issue) => (
                <li key={issue.id} className={styles.issue}>
                  <div className={styles.what}>
                    <span className={styles.title}>
                      <Link to="/issues/$issue" params={{ issue: issue.shortId }}>
                        {issue.shortId}
                      </Link>{' '}
                      {issue.title}
                    </span>
                    <span className={styles.hint}>
                      {issue.source && issue.line !== null
                        ? `${sourceWords(issue.source, issue.line)}: ${issue.why ?? ''}`
                        : 'no rule matches'}
                    </span>
                  </div>
                  <span className={issue.owner ? styles.owner : styles.nobody}>
                    {issue.owner ? ownerWords(issue.owner) : 'nobody'}
                  </span>
                  <Button
                    size="small"
                    variant="ghost"
                    aria-label={`Why ${issue.shortId}?`}
                    onClick={() => {
                      setText(issue.shortId);
                      setTested(issue.shortId);
                    }}
                  >
                    Why?
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
          {!all && rows.length > shownAtFirst && (
            <div>
              <Button size="small" onClick={() => setAll(true)}>
                All {plural(rows.length, 'issue')}
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  );
}

function summary({ issues, unowned }: OwnershipPreview): string {
  if (issues.length === 0) return '';
  const owned = issues.length - unowned;
  return `Of the ${plural(issues.length, 'latest issue')}, ${owned} ${pluralForm(owned, 'has', 'have')} an owner.`;
}
