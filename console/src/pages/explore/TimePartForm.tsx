import { useState } from 'react';
import { fromInput } from '../../features/traces/times.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from './Compare.module.css';

/** A part of the time by numbers, which is what drawing over a chart does. */
export function TimePartForm({ onPart }: { readonly onPart: (startMs: number, endMs: number) => void }) {
  const [wrong, setWrong] = useState(false);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const from = fromInput(String(data.get('from')));
        const until = fromInput(String(data.get('until')));
        const isPart = from !== undefined && until !== undefined && until > from;
        setWrong(!isPart);
        if (isPart) onPart(from * 1000, until * 1000);
      }}
    >
      <TextField label="From" name="from" type="datetime-local" />
      <TextField
        label="Until"
        name="until"
        type="datetime-local"
        error={wrong ? 'Must be after the beginning.' : undefined}
      />
      <Button type="submit">Compare</Button>
    </form>
  );
}
