import type { StackOrder } from '@culprit/stacktrace';
import { chainOf, type Linked } from '../event/chain.ts';
import { isHandled, type ShownException } from '../event/entries.ts';
import * as m from '../../messages/stack-parts.ts';
import { unhandled } from '../../messages/stacktrace.ts';
import { Flag } from '../../ui/Flag.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { LanguageStack } from './LanguageStack.tsx';
import { StackTrace } from './StackTrace.tsx';
import styles from './stacktrace.module.css';

const ValueMark = lazily(async () => (await import('../event/ValueMark.tsx')).ValueMark);

/** Indents beyond this leave a narrow screen no room. */
const deepest = 4;

/** What the first error came from: with its stack, or in a line where it came without one. */
export function Causes({
  shown,
  platform,
  full,
  order,
}: {
  readonly shown: readonly ShownException[];
  readonly platform: string | null;
  readonly full: boolean;
  readonly order: StackOrder;
}) {
  const Stack = platform === 'javascript' || platform === 'node' ? StackTrace : LanguageStack;
  const chain = chainOf(shown, platform);
  return chain.map((each, index) => {
    const isLine = !each.stacktrace;
    const afterLine = index > 0 && !chain[index - 1]?.stacktrace;
    return (
      <article
        key={index}
        className={styles.exception}
        style={{
          marginInlineStart: 16 * Math.min(each.depth, deepest),
          ...(isLine && afterLine && { marginBlockStart: 0 }),
        }}
      >
        <Head link={each} />
        {each.stacktrace && (
          <Stack stacktrace={each.stacktrace} platform={platform} full={full} order={order} main={false} />
        )}
      </article>
    );
  });
}

function Head({ link }: { readonly link: Linked }) {
  const Value = link.stacktrace ? 'p' : 'span';
  return (
    <header className={styles.exceptionHead}>
      <span className={styles.relation}>{m.relations[link.relation]}</span>
      <h3 translate="no">{link.title}</h3>
      {isHandled(link.exception) === false && <Flag kind="plain">{unhandled}</Flag>}
      <Value translate="no">{link.exception?.value}</Value>
      {link.exception && <ValueMark exception={link.exception} />}
    </header>
  );
}
