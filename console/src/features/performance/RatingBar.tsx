import * as m from '../../messages/performance.ts';
import { SplitBar } from '../../ui/Bar.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { percentage } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import { ratingParts } from './vitals.ts';

const tones = { good: 'ok', meh: 'warning', poor: 'error' } as const;

/** How samples divide into good, needs work and poor: a stacked bar with its numbers in words. */
export function RatingBar({
  counts,
  words = true,
}: {
  readonly counts: { readonly count: number; readonly good: number; readonly poor: number };
  readonly words?: boolean;
}) {
  const parts = ratingParts(counts);
  const sentence = parts
    .map(({ rating, percent }) => m.ratingShares[rating]({ share: percentage(percent / 100) }))
    .join(', ');
  return (
    <div data-tip={`${sentence}\n${m.ofSamples({ count: counts.count })}`}>
      <Stack gap={4}>
        <SplitBar
          label={sentence}
          parts={parts
            .filter(({ count }) => count > 0)
            .map(({ rating, count }) => ({ share: count / counts.count, tone: tones[rating] }))}
        />
        {words && (
          <div aria-hidden="true">
            <Text as="div" tone="faint" small>
              {sentence}
            </Text>
          </div>
        )}
      </Stack>
    </div>
  );
}
