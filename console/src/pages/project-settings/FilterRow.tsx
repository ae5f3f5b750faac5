import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { FilterPreview, ProjectFilter } from '../../features/inbound-filters/queries.ts';
import { itemsText } from '../../features/inbound-filters/words.ts';
import * as m from '../../messages/inbound-filters.ts';
import { Button } from '../../ui/Button.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { TextArea, Toggle } from '../../ui/Field.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Facts, Text } from '../../ui/Text.tsx';

type Previewed = FilterPreview['filters'][number];

/** One filter: its switch, what it dropped, what it would drop, and its patterns where it has some. */
export function FilterRow({
  filter: { id, active, patterns, dropped },
  previewed,
  draft,
  busy,
  onToggle,
  onDraft,
  onSave,
}: {
  readonly filter: ProjectFilter;
  readonly previewed: Previewed | undefined;
  /** The text of its patterns as it is typed; undefined while it is as saved. */
  readonly draft: string | undefined;
  readonly busy: boolean;
  /** Undefined for who may change nothing; so are the others. */
  readonly onToggle: ((active: boolean) => void) | undefined;
  readonly onDraft: (text: string) => void;
  readonly onSave: () => void;
}) {
  const name = m.names[id];
  const items = itemsText(dropped);
  return (
    <Stack gap={4}>
      <Toggle
        label={name}
        hint={
          <>
            {m.hints[id]}
            <br />
            {items === '' ? m.droppedNone : m.dropped({ items })}
            {active && patterns?.length === 0 && (
              <>
                <br />
                <Text tone="warning">{m.needsPatterns}</Text>
              </>
            )}
            {previewed && (
              <>
                <br />
                <Would previewed={previewed} />
              </>
            )}
          </>
        }
        checked={active}
        disabled={busy || !onToggle}
        onChange={(event) => onToggle?.(event.target.checked)}
      />
      {patterns && (
        <Patterns
          name={name}
          ofAddresses={id === 'ip-address'}
          saved={patterns}
          draft={draft}
          busy={busy}
          fixed={!onToggle}
          onDraft={onDraft}
          onSave={onSave}
        />
      )}
      {previewed && previewed.examples.length > 0 && <Examples examples={previewed.examples} />}
    </Stack>
  );
}

function Would({ previewed: { errors, transactions, logs } }: { readonly previewed: Previewed }) {
  const items = itemsText([
    { category: 'error', quantity: errors },
    { category: 'transaction', quantity: transactions },
    { category: 'log_item', quantity: logs },
  ]);
  return items === '' ? m.wouldNone : <strong>{m.would({ items })}</strong>;
}

function Examples({ examples }: { readonly examples: Previewed['examples'] }) {
  return (
    <Facts>
      {examples.map(({ title, eventID, count }) =>
        eventID === undefined ? (
          <span key={title} translate="no">
            {m.times({ title, count: count ?? 1 })}
          </span>
        ) : (
          <Link key={eventID} to="/find" search={{ q: eventID }} translate="no">
            {title}
          </Link>
        ),
      )}
    </Facts>
  );
}

function Patterns({
  name,
  ofAddresses,
  saved,
  draft,
  busy,
  fixed,
  onDraft,
  onSave,
}: {
  readonly name: string;
  readonly ofAddresses: boolean;
  readonly saved: readonly string[];
  readonly draft: string | undefined;
  readonly busy: boolean;
  readonly fixed: boolean;
  readonly onDraft: (text: string) => void;
  readonly onSave: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div>
        <Disclosure open={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
          {m.patterns({ count: saved.length })}
        </Disclosure>
      </div>
      <div id={id} hidden={!isOpen}>
        <Stack gap={8}>
          <TextArea
            label={m.patternsOf({ filter: name })}
            hint={ofAddresses ? m.addressesHint : m.patternsHint}
            rows={3}
            spellCheck={false}
            translate="no"
            value={draft ?? saved.join('\n')}
            readOnly={fixed}
            onChange={(event) => onDraft(event.target.value)}
          />
          {!fixed && (
            <Inline>
              <Button size="small" disabled={draft === undefined || busy} busy={busy} onClick={onSave}>
                {m.save}
              </Button>
            </Inline>
          )}
        </Stack>
      </div>
    </>
  );
}
