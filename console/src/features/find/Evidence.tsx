import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Section } from '../../ui/Page.tsx';
import { shortDistance } from '../../ui/relative-time.ts';
import { Time } from '../../ui/Time.tsx';
import { CodeBlock } from '../code/CodeBlock.tsx';
import { digestSnippet } from './digest-snippets.ts';
import styles from './Evidence.module.css';
import { FoundEvents } from './FoundEvents.tsx';
import type { Evidence as Known } from './queries.ts';
import { droppedText } from './words.ts';

/** What is known instead of an answer: what failed lately, what was dropped, whether digests are sent at all. */
export function Evidence({ evidence, label }: { readonly evidence: Known; readonly label: string }) {
  const { host, serverErrors, dropped, digestTagging, waiting } = evidence;
  const where = host && evidence.hostKnown ? ` on ${host}` : '';
  return (
    <Section title={label}>
      <dl className={styles.facts}>
        <Fact name={`Server errors${where} in the last hour`}>
          {serverErrors.length > 0 ? (
            <FoundEvents label="Server errors in the last hour" events={serverErrors.map(({ event }) => event)} />
          ) : (
            <p>
              None. <LastServerEvent evidence={evidence} />
            </p>
          )}
        </Fact>
        <Fact name="Dropped in the last hour">
          {dropped.length > 0 ? (
            <p>
              {droppedText(dropped)}. <Link to="/health">See what became of everything that was sent</Link>
            </p>
          ) : (
            <p>Nothing: whatever was received was stored.</p>
          )}
        </Fact>
        {waiting.requests > 0 && (
          <Fact name="Still being processed">
            <p>
              {waiting.requests} received, the oldest {shortDistance(waiting.lagMs, 0)} ago.
            </p>
          </Fact>
        )}
        <Fact name="Digest tagging">
          <DigestTagging tagging={digestTagging} framework={evidence.framework} />
        </Fact>
      </dl>
    </Section>
  );
}

export function LastServerEvent({ evidence }: { readonly evidence: Known }) {
  const last = evidence.lastServerEvent;
  if (!last) return <>No server has reported anything yet.</>;
  return (
    <>
      Last server event from {last.project.name}: <Time at={last.dateCreated} />.
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function DigestTagging({
  tagging,
  framework,
}: {
  readonly tagging: Known['digestTagging'];
  readonly framework: Known['framework'];
}) {
  const snippet = digestSnippet(framework);
  const lines = (
    <div className={styles.snippet}>
      {snippet.install && <CodeBlock file="Terminal" code={snippet.install} />}
      <CodeBlock file={snippet.file} code={snippet.code} />
      <p>{snippet.note}</p>
    </div>
  );
  if (!tagging.seen)
    return (
      <>
        <p>
          <strong>Off:</strong> no event of the last 30 days carries a digest, so none can be found by it. Add:
        </p>
        {lines}
      </>
    );
  return (
    <>
      <p>
        <strong>On:</strong>{' '}
        {tagging.last ? (
          <>
            the newest event with a digest came <Time at={tagging.last.dateCreated} /> from {tagging.last.project.name}.
          </>
        ) : (
          'events of the last 30 days carry digests.'
        )}
      </p>
      <details className={styles.more}>
        <summary>The lines that switch it on elsewhere</summary>
        {lines}
      </details>
    </>
  );
}
