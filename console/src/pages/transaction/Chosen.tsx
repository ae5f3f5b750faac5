import { useNavigate } from '@tanstack/react-router';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import * as m from '../../messages/transaction.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import styles from '../../features/performance/details.module.css';

/** Which of the transactions are shown, each part removable. Nothing where it is all of them. */
export function Chosen({ search }: { readonly search: TransactionSearch }) {
  const navigate = useNavigate({ from: '/performance/transaction' });
  const { release, tag = '', from, until } = search;
  const [key = '', ...value] = tag.split(':');
  const parts = [
    ...(release ? [{ name: m.filterNames.release, value: release, without: { release: undefined } }] : []),
    ...(tag ? [{ name: key, value: value.join(':'), without: { tag: undefined } }] : []),
    ...(from !== undefined || until !== undefined
      ? [
          {
            name: m.filterNames.duration,
            value: rangeWords(from, until),
            without: { from: undefined, until: undefined },
          },
        ]
      : []),
  ];
  if (!parts.length) return null;
  return (
    <div className={styles.chosen}>
      <Chips label={m.filters}>
        {parts.map((part) => (
          <Chip
            key={part.name}
            name={part.name}
            removes
            translate={part.name === key ? 'no' : undefined}
            aria-label={m.removeFilter({ name: part.name, value: part.value })}
            onClick={() => void navigate({ search: (before) => ({ ...before, ...part.without }), resetScroll: false })}
          >
            <code>{part.value}</code>
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

function rangeWords(fromMs: number | undefined, untilMs: number | undefined): string {
  const from = milliseconds(fromMs ?? 0);
  if (untilMs === undefined) return m.durationFrom({ from });
  const until = milliseconds(untilMs);
  return fromMs ? m.durationBetween({ from, until }) : m.durationUntil({ until });
}
