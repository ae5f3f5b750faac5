import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import * as m from '../../messages/find.ts';
import { CodeBlock } from '../code/CodeBlock.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { relativeTime } from '../../ui/relative-time.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { digestSnippet } from './digest-snippets.ts';
import { FoundEvents } from './FoundEvents.tsx';
import type { Evidence as Known } from './queries.ts';
import { droppedText } from './words.ts';

/** What is known instead of an answer: recent errors, dropped items, whether digests are sent at all. */
export function Evidence({ evidence, label }: { readonly evidence: Known; readonly label: string }) {
  const { host, serverErrors, dropped, digestTagging, waiting } = evidence;
  return (
    <Section title={label}>
      <Stack>
        <Fact name={host && evidence.hostKnown ? m.serverErrorsOn({ host }) : m.serverErrors}>
          {serverErrors.length > 0 ? (
            <FoundEvents label={m.serverErrors} events={serverErrors.map(({ event }) => event)} />
          ) : (
            <Text as="p">
              {m.noServerErrors} <LastServerEvent evidence={evidence} />
            </Text>
          )}
        </Fact>
        <Fact name={m.dropped}>
          <Text as="p">
            {dropped.length > 0 ? (
              <>
                {droppedText(dropped)} <Link to="/health">{m.droppedWhy}</Link>
              </>
            ) : (
              m.nothingDropped
            )}
          </Text>
        </Fact>
        {waiting.requests > 0 && (
          <Fact name={m.waiting}>
            <Text as="p">{m.waitingCount({ count: waiting.requests, when: relativeTime(-waiting.lagMs, 0) })}</Text>
          </Fact>
        )}
        <Fact name={m.tagging}>
          <DigestTagging tagging={digestTagging} framework={evidence.framework} />
        </Fact>
      </Stack>
    </Section>
  );
}

export function LastServerEvent({ evidence }: { readonly evidence: Known }) {
  const last = evidence.lastServerEvent;
  if (!last) return m.noServerEver;
  return m.lastServerEvent({ project: last.project.name, when: <Time at={last.dateCreated} /> });
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Stack gap={8}>
      <h3>{name}</h3>
      {children}
    </Stack>
  );
}

function DigestTagging({
  tagging,
  framework,
}: {
  readonly tagging: Known['digestTagging'];
  readonly framework: Known['framework'];
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const snippet = digestSnippet(framework);
  const lines = (
    <Stack gap={8}>
      {snippet.install && <CodeBlock file={m.terminal} code={snippet.install} />}
      <CodeBlock file={snippet.file} code={snippet.code} />
      <Text as="p">{snippet.note}</Text>
    </Stack>
  );
  if (!tagging.seen)
    return (
      <>
        <Text as="p">{m.taggingOff}</Text>
        {lines}
      </>
    );
  return (
    <>
      <Text as="p">
        {tagging.last
          ? m.taggingLast({ when: <Time at={tagging.last.dateCreated} />, project: tagging.last.project.name })
          : m.taggingOn}
      </Text>
      <Disclosure open={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
        {m.taggingMore}
      </Disclosure>
      <div id={id} hidden={!isOpen}>
        {isOpen && lines}
      </div>
    </>
  );
}
