import { KeyValues } from '../../features/event/KeyValues.tsx';
import { Panel } from '../../ui/Panel.tsx';

/** What a browser reported of a violated policy. */
export function Report({ report }: { readonly report: Readonly<Record<string, unknown>> }) {
  return (
    <Panel title="Report" id="csp">
      <KeyValues label="Report" rows={Object.entries(report).map(([key, value]) => ({ key, value }))} />
    </Panel>
  );
}
