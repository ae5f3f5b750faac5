import { useId, useState } from 'react';
import * as m from '../../messages/scrubbing.ts';
import { Button } from '../../ui/Button.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { addRule, countries, kinds, methods, type WantedRule } from './add-rule.ts';

const first: WantedRule = { kind: 'email', text: '', country: 'us', where: '$string', method: 'remove' };

/** What, where and how of one rule, which goes into the text below. */
export function AddRule({ rules, onAdd }: { readonly rules: string; readonly onAdd: (rules: string) => void }) {
  const [rule, setRule] = useState(first);
  const [isOpen, setOpen] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);
  const change = (changed: Partial<WantedRule>): void => {
    setRule({ ...rule, ...changed });
    setUnreadable(false);
  };
  const { kind, text, country, where, method } = rule;
  const sought = kind === 'key' || kind === 'pattern' ? kind : undefined;
  const isComplete = where.trim() !== '' && (sought === undefined || text !== '');
  const add = (): void => {
    const after = addRule(rules, { ...rule, where: where.trim() });
    if (after === undefined) setUnreadable(true);
    else onAdd(after);
  };
  const id = useId();
  return (
    <>
      <Disclosure open={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
        {m.add}
      </Disclosure>
      <div id={id} hidden={!isOpen}>
        <Stack>
          <SelectField
            label={m.what}
            value={kind}
            onChange={(event) => change({ kind: kinds.find((one) => one === event.target.value) ?? kind })}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {m.kinds[each]}
              </option>
            ))}
          </SelectField>
          {sought && (
            <TextField
              label={sought === 'key' ? m.key : m.pattern}
              hint={sought === 'key' ? m.keyHint : m.patternHint}
              mono
              value={text}
              onChange={(event) => change({ text: event.target.value })}
            />
          )}
          {kind === 'identity' && (
            <SelectField
              label={m.country}
              hint={m.countryHint}
              value={country}
              onChange={(event) => change({ country: countries.find((one) => one === event.target.value) ?? country })}
            >
              {countries.map((each) => (
                <option key={each} value={each}>
                  {m.countries[each]}
                </option>
              ))}
            </SelectField>
          )}
          <TextField
            label={m.where}
            hint={m.whereHint}
            mono
            value={where}
            onChange={(event) => change({ where: event.target.value })}
          />
          <SelectField
            label={m.how}
            error={isUnreadable ? m.unreadable : undefined}
            value={method}
            onChange={(event) => change({ method: methods.find((one) => one === event.target.value) ?? method })}
          >
            {methods.map((each) => (
              <option key={each} value={each}>
                {m.methods[each]}
              </option>
            ))}
          </SelectField>
          <div>
            <Button disabled={!isComplete} onClick={add}>
              {m.addTo}
            </Button>
          </div>
        </Stack>
      </div>
    </>
  );
}
