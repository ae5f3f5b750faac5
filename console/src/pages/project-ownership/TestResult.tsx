import { useQuery } from '@tanstack/react-query';
import { CloseIcon } from '../../ui/icons.ts';
import { type OwnershipTested, ownershipTestQuery } from '../../features/ownership/queries.ts';
import { ownerWords, sourceWords } from '../../features/ownership/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/ownership-rules.ts';
import { IconButton } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';

/** Which rules match one issue and why, and which of them decides. */
export function TestResult({
  slug,
  issue,
  raw,
  onClose,
}: {
  readonly slug: string;
  readonly issue: string;
  readonly raw: string;
  readonly onClose: () => void;
}) {
  const test = useQuery(ownershipTestQuery(useOrg(), slug, issue, raw));
  return (
    <QueryView query={test} loading={m.testingIssue({ issue })} failed={m.issueFailed({ issue })} rows={2} height={48}>
      {(tested) => <Tested tested={tested} onClose={onClose} />}
    </QueryView>
  );
}

export function Tested({ tested, onClose }: { readonly tested: OwnershipTested; readonly onClose: () => void }) {
  const { issue, rules, assignee, paths, url } = tested;
  const name = <strong translate="no">{issue.shortId}</strong>;
  return (
    <section aria-label={m.matchingRules({ issue: issue.shortId })}>
      <Notice>
        <Inline align="apart">
          <p>
            {assignee
              ? m.goesTo({ issue: name, owner: <strong translate="no">{ownerWords(assignee)}</strong> })
              : m.staysUnassigned({ issue: name })}
          </p>
          <IconButton size="small" label={m.close} icon={<CloseIcon size={14} />} onClick={onClose} />
        </Inline>
        {rules.length > 0 && (
          <DataList open compact>
            {rules.map((rule) => (
              <DataRow
                key={`${rule.source} ${rule.line} ${rule.why}`}
                title={<code>{rule.text}</code>}
                facts={
                  <Facts>
                    {m.matchedBy({ source: sourceWords(rule.source, rule.line), why: rule.why })}
                    {rule.decides && <strong>{m.decides}</strong>}
                    {rule.unknown.length > 0 && m.unknown({ names: rule.unknown.join(', ') })}
                  </Facts>
                }
              />
            ))}
          </DataList>
        )}
        <details>
          <summary>{m.compared}</summary>
          {!url && paths.length === 0 ? (
            <Text>{m.nothingCompared}</Text>
          ) : (
            <ul>
              {[...(url ? [url] : []), ...paths].map((each) => (
                <li key={each}>
                  <code>{each}</code>
                </li>
              ))}
            </ul>
          )}
        </details>
      </Notice>
    </section>
  );
}
