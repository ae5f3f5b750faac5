import { outcomeKinds, outcomeStacks } from '../../features/intake/outcome-rows.ts';
import type { Outcomes } from '../../features/intake/queries.ts';
import { duration } from '../../ui/durations.ts';
import { compactNumber, exactNumber, plural } from '../../ui/numbers.ts';
import { localTime } from '../../ui/relative-time.ts';
import styles from './OutcomeChart.module.css';

const height = 120;
const barWidth = 10;

/** Items over time, stacked by outcome. The table below says the same in numbers. */
export function OutcomeChart({ outcomes }: { readonly outcomes: Outcomes }) {
  const stacks = outcomeStacks(outcomes);
  const most = Math.max(1, ...stacks.map((stack) => stack.total));
  const total = stacks.reduce((sum, stack) => sum + stack.total, 0);
  const present = outcomeKinds.filter((_, kind) => stacks.some((stack) => (stack.parts[kind] ?? 0) > 0));
  return (
    <figure
      aria-label={`${plural(total, 'item')}, at most ${exactNumber(most)} in one interval. The table below has the numbers.`}
    >
      <div className={styles.plot}>
        <svg
          viewBox={`0 0 ${Math.max(1, stacks.length) * barWidth} ${height}`}
          preserveAspectRatio="none"
          height={height}
          aria-hidden="true"
        >
          {stacks.map((stack, index) => {
            let top = height;
            return (
              <g key={stack.start} data-tip={tip(stack, outcomes.intervalSeconds)}>
                <rect className={styles.hit} x={index * barWidth} y="0" width={barWidth} height={height} />
                {stack.parts.map((part, kind) => {
                  if (part === 0) return null;
                  const tall = Math.max(1.5, (part / most) * height);
                  top -= tall;
                  return (
                    <rect
                      key={kind}
                      x={index * barWidth}
                      y={top}
                      width={barWidth * 0.8}
                      height={tall}
                      fill={outcomeKinds[kind]?.colour}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
        <div className={styles.axis} aria-hidden="true">
          <span>{localTime(Date.parse(outcomes.start))}</span>
          {total > 0 && (
            <span>
              peak {compactNumber(most)} in {intervalLabel(outcomes.intervalSeconds)}
            </span>
          )}
          <span>{localTime(Date.parse(outcomes.end))}</span>
        </div>
      </div>
      <figcaption className={styles.legend} aria-hidden="true">
        {present.map((each) => (
          <span key={each.kind} className={styles.entry}>
            <svg width="10" height="10" viewBox="0 0 10 10">
              <rect width="10" height="10" rx="2" fill={each.colour} />
            </svg>
            {each.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function tip(stack: ReturnType<typeof outcomeStacks>[number], seconds: number): string {
  const lines = outcomeKinds.flatMap((each, kind) =>
    stack.parts[kind] ? [`${each.label} ${exactNumber(stack.parts[kind])}`] : [],
  );
  return [`${localTime(stack.start)}, ${intervalLabel(seconds)}`, ...(lines.length > 0 ? lines : ['Nothing'])].join(
    '\n',
  );
}

const intervalLabel = (seconds: number): string => duration(seconds * 1_000_000);
