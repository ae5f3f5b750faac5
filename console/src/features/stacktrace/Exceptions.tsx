import { useState } from 'react';
import { isHandled, shownExceptions, type ShownException } from '../event/entries.ts';
import type { Event } from '../event/types.ts';
import * as m from '../../messages/stacktrace.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { PanelHead } from '../../ui/Panel.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { stackText } from './frames.ts';
import { NoStack, StackTrace } from './StackTrace.tsx';
import styles from './stacktrace.module.css';

type View = keyof typeof m.viewNames;
const views = Object.entries(m.viewNames) as [View, string][];

/** What of an event a stack is drawn from. */
type Thrown = Pick<Event, 'eventID' | 'platform' | 'entries'>;
type Headline = Readonly<Record<string, string>>;

/** The error, then what caused it, each with its stack. `headline`: type and value that the page says already. */
export function Exceptions({ event, headline }: { readonly event: Thrown; readonly headline: Headline }) {
  const [view, setView] = useState<View>('short');
  const shown = shownExceptions(event);
  if (shown.length === 0) return null;
  const text = (): string => shown.map(rawText).join(`\n\n${m.relations.cause}: `);
  return (
    <section aria-label={m.title} className={styles.exceptions}>
      <PanelHead title={shown[0]?.exception ? m.title : shown[0]?.title}>
        <Segments label={m.views} value={view} options={views} onChange={setView} />
        <CopyButton text={text} label={m.copy} />
      </PanelHead>
      {view === 'raw' ? (
        <ScrollRegion as="pre" className={styles.raw} label={m.asText}>
          {text()}
        </ScrollRegion>
      ) : (
        shown.map((each, index) => (
          <article key={`${event.eventID}-${index}`} className={styles.exception}>
            {each.exception && (index > 0 || hasOwnWords(headline, each)) && (
              <header className={styles.exceptionHead}>
                {each.relation !== 'first' && <span className={styles.relation}>{m.relations[each.relation]}</span>}
                <h3 translate="no">{each.title}</h3>
                {isHandled(each.exception) === false && <Flag kind="plain">{m.unhandled}</Flag>}
                <p translate="no">{each.exception.value}</p>
              </header>
            )}
            {each.stacktrace ? (
              <StackTrace
                stacktrace={each.stacktrace}
                platform={event.platform}
                full={view === 'full'}
                main={index === 0}
              />
            ) : (
              <NoStack />
            )}
          </article>
        ))
      )}
    </section>
  );
}

function rawText(each: ShownException): string {
  return stackText(each.title, each.exception?.value ?? null, each.stacktrace?.frames ?? []);
}

/** The page's title says the words; an event may have other ones, as a browser's view of a server failure has. */
function hasOwnWords(headline: Headline, { exception }: ShownException): boolean {
  return exception?.value !== null && exception?.value !== headline['value'];
}
