import { useEffect, useState } from 'react';
import { Button, IconButton, type ButtonProps } from './Button.tsx';
import { copyText } from './copy.ts';
import { CopyIcon, DoneIcon } from './icons.ts';

/** Copies `text`; with children a labelled button, else an icon named by `label`. */
export function CopyButton({
  text,
  label,
  children,
  ...rest
}: { readonly text: string | (() => string | Promise<string>); readonly label: string } & Omit<
  ButtonProps,
  'onClick' | 'icon'
>) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => setCopied(await copyText(typeof text === 'string' ? text : await text()));
  const icon = copied ? <DoneIcon size={14} /> : <CopyIcon size={14} />;
  return children ? (
    <Button size="small" {...rest} icon={icon} aria-label={label} onClick={() => void copy()}>
      {children}
    </Button>
  ) : (
    <IconButton size="small" {...rest} label={label} icon={icon} onClick={() => void copy()} />
  );
}
