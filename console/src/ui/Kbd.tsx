import styles from './Kbd.module.css';

const symbols: Readonly<Record<string, string>> = { Enter: '↵', Escape: 'Esc', Space: 'Space' };

/** Keys as caps: `g i` is two caps one after the other, `$mod+k` one pressed with the other. */
export function Kbd({ keys }: { readonly keys: string }) {
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <span className={styles.keys}>
      {keys.split(' ').map((stroke, index) => (
        <kbd key={`${stroke}-${index}`} className={styles.key}>
          {stroke
            .split('+')
            .map((key, at) =>
              key === '$mod' ? (mac ? '⌘' : 'Ctrl') : (symbols[key] ?? (at > 0 ? key.toUpperCase() : key)),
            )
            .join(mac ? '' : ' ')}
        </kbd>
      ))}
    </span>
  );
}
