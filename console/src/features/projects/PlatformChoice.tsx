import { useState } from 'react';
import * as m from '../../messages/platforms.ts';
import { ChoiceGroup } from '../../ui/Choice.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { SearchInput } from '../../ui/Toolbar.tsx';
import styles from './PlatformChoice.module.css';
import { byLanguage, languageOfPlatform, languages, searchPlatforms, type PlatformId } from './platforms.ts';

/** A language and one of its frameworks, as radio buttons that look like tiles; typing searches all of them. */
export function PlatformChoice({
  value,
  onChoose,
}: {
  readonly value: PlatformId;
  readonly onChoose: (platform: PlatformId) => void;
}) {
  const [typed, setTyped] = useState('');
  const language = languageOfPlatform(value);
  const found = typed.trim() ? searchPlatforms(typed) : undefined;
  const frameworks = (label: string, ids: readonly PlatformId[]) => (
    <Tiles
      key={label}
      label={label}
      name="platform"
      value={value}
      options={ids.map((id) => [id, m.names[id]])}
      onChoose={onChoose}
    />
  );
  return (
    <Stack gap={12}>
      <SearchInput
        label={m.search}
        placeholder={m.searchExample}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // It may stand in a form, which it does not send.
          event.preventDefault();
          const first = found?.[0]?.[1][0];
          if (!first) return;
          onChoose(first);
          setTyped('');
        }}
      />
      {found ? (
        found.length > 0 ? (
          found.map(([each, ids]) => frameworks(m.languages[each], ids))
        ) : (
          <Nothing>{m.nothingFound}</Nothing>
        )
      ) : (
        <>
          <Tiles
            label={m.language}
            name="language"
            value={language}
            options={languages.map((each) => [each, m.languages[each]])}
            onChoose={(each) => onChoose(byLanguage[each][0] ?? 'other')}
          />
          {byLanguage[language].length > 1 && frameworks(m.label, byLanguage[language])}
        </>
      )}
    </Stack>
  );
}

function Tiles<T extends string>({
  label,
  name,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChoose: (value: T) => void;
}) {
  return (
    <ChoiceGroup label={label}>
      <div className={styles.tiles}>
        {options.map(([id, text]) => (
          <label key={id} className={styles.tile}>
            <input
              type="radio"
              name={name}
              value={id}
              checked={id === value}
              onChange={() => onChoose(id)}
              className="visually-hidden"
            />
            {text}
          </label>
        ))}
      </div>
    </ChoiceGroup>
  );
}
