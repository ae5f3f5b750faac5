import { KeyValues } from '../../features/event/KeyValues.tsx';
import * as m from '../../messages/issue-details.ts';
import { Panel } from '../../ui/Panel.tsx';

/** What a browser reported of a violated policy. */
export function Report({ report }: { readonly report: Readonly<Record<string, unknown>> }) {
  return (
    <Panel title={m.report} id="csp">
      <KeyValues label={m.report} rows={Object.entries(report).map(([key, value]) => ({ key, value }))} />
    </Panel>
  );
}
