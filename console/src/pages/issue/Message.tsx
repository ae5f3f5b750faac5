import { entryOf } from '../../features/event/entries.ts';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import { LongText } from '../../features/event/LongText.tsx';
import { MarkedValue, ScrubMark } from '../../features/event/ScrubMark.tsx';
import { scrubbedBelow, scrubbedOf } from '../../features/event/scrubbed.ts';
import type { Event } from '../../features/event/types.ts';
import { useProjectOf } from '../../features/event/use-marks.ts';
import * as m from '../../messages/issue-details.ts';
import { Panel } from '../../ui/Panel.tsx';

/**
 * What the event said, unless `title` says all of it; where it was made from a template, that too: all that share it are
 * one issue. What scrubbing changed has a mark.
 */
export function Message({ event, title }: { readonly event: Event; readonly title: string }) {
  const project = useProjectOf(event);
  const message = entryOf(event, 'message');
  const { _meta: meta } = event;
  const found = scrubbedBelow(scrubbedOf(meta), ['logentry']);
  if (!message) return null;
  const { formatted, message: template, params } = message;
  const hasParams = Object.keys(params ?? {}).length > 0;
  if (formatted === title && !hasParams && found.length === 0) return null;
  const ofText = found.filter(({ path: [first] }) => first !== 'params' && (first !== 'message' || !hasParams));
  const marked = (value: unknown, at: string) => (
    <MarkedValue value={value} found={scrubbedBelow(found, [at])} project={project} />
  );
  return (
    <Panel title={m.message} id="message" tools={ofText.length > 0 && <ScrubMark found={ofText} project={project} />}>
      <LongText label={m.message} text={formatted} />
      {hasParams && (
        <KeyValues
          label={m.template}
          rows={[
            { key: m.template, value: template, shown: marked(template, 'message'), ours: true },
            { key: m.parameters, value: params, shown: marked(params, 'params'), ours: true },
          ]}
        />
      )}
    </Panel>
  );
}
