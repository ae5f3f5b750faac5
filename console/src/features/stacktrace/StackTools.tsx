import { habitOf, type StackOrder } from '@culprit/stacktrace';
import { useQueryClient } from '@tanstack/react-query';
import { shownExceptions } from '../event/entries.ts';
import { bootQuery } from '../session/boot.ts';
import * as m from '../../messages/stack-parts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { OrderIcon } from '../../ui/icons.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Segments } from '../../ui/Segments.tsx';
import type { Thrown } from './Exceptions.tsx';

// Most errors are as they were sent.
const ValueMark = lazily(async () => (await import('../event/ValueMark.tsx')).ValueMark);

const views = Object.entries(m.viewNames) as [View, string][];

type View = keyof typeof m.viewNames;

export interface StackView {
  readonly view: View;
  /** Which call stands first; null for what the language prints. */
  readonly chosen?: StackOrder | null;
}

interface Props {
  readonly event: Thrown;
  readonly view: View;
  readonly order: StackOrder;
  readonly onChange: (change: (before: StackView) => StackView) => void;
}

/** How the stacks are shown, and a copy of their text. What writes it is loaded when it is asked for. */
export function StackTools({ event, view, order, onChange }: Props) {
  const queries = useQueryClient();
  const turn = async (): Promise<void> => {
    const other = order === 'newest' ? 'oldest' : 'newest';
    // What the language does anyway is no choice for other languages.
    const chosen = other === habitOf(event.platform) ? null : other;
    onChange((before) => ({ ...before, chosen }));
    if (!queries.getQueryData(bootQuery.queryKey)?.self.user) return;
    const { keepStackOrder } = await import('../account/preferences.ts');
    // Where the server cannot be told, it holds for this page.
    await keepStackOrder(queries, chosen).catch(() => undefined);
  };
  const text = async (): Promise<string> => (await import('./stack-text.ts')).stackText(event, order);
  const { _meta: meta } = event;
  const [first] = meta?.['exception'] ? shownExceptions(event) : [];
  return (
    <>
      {first?.exception && <ValueMark exception={first.exception} />}
      <Segments
        label={m.views}
        value={view}
        options={views}
        onChange={(next) => onChange((before) => ({ ...before, view: next }))}
      />
      <IconButton
        size="small"
        label={m.oldestFirst}
        aria-pressed={order === 'oldest'}
        icon={<OrderIcon size={14} />}
        onClick={() => void turn()}
      />
      <CopyButton text={text} label={m.copy} />
    </>
  );
}
