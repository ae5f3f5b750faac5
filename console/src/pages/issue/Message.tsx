import type { EntryData } from '../../features/event/entries.ts';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import { LongText } from '../../features/event/LongText.tsx';
import * as m from '../../messages/issue-details.ts';
import { Panel } from '../../ui/Panel.tsx';

/** What the event said, unless `title` says all of it; where it was made from a template, that too: all that share it are one issue. */
export function Message({ message, title }: { readonly message: EntryData<'message'>; readonly title: string }) {
  const { formatted, message: template, params } = message;
  const hasParams = Object.keys(params ?? {}).length > 0;
  if (formatted === title && !hasParams) return null;
  return (
    <Panel title={m.message} id="message">
      <LongText label={m.message} text={formatted} />
      {hasParams && (
        <KeyValues
          label={m.template}
          rows={[
            { key: m.template, value: template, ours: true },
            { key: m.parameters, value: params, ours: true },
          ]}
        />
      )}
    </Panel>
  );
}
