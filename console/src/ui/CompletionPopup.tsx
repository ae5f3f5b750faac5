/** Base UI's list of completions in our popup; `Completion` asks for it when it is about to be opened. */
import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import {
  type ChangeEventHandler,
  type KeyboardEventHandler,
  type ReactElement,
  type Ref,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from 'react';
import type { CompletionOption, CompletionProps, WritingField } from './completion.ts';
import styles from './CompletionPopup.module.css';
import { cx } from './cx.ts';
import list from './options.module.css';
import popup from './popup.module.css';

type Props = CompletionProps<CompletionOption>;

interface Section {
  readonly id: string;
  readonly items: readonly CompletionOption[];
}

/** Of what Base UI gives its input. */
interface InputProps {
  readonly ref?: Ref<WritingField> | undefined;
  readonly onKeyDown?: KeyboardEventHandler<WritingField> | undefined;
  readonly onChange?: ChangeEventHandler<WritingField> | undefined;
  readonly 'aria-activedescendant'?: string | undefined;
}

export function CompletionPopup({ question, ...props }: Props) {
  return <List key={question} {...props} />;
}

function List(props: Omit<Props, 'question'>) {
  const {
    field,
    id,
    keys,
    anchor = field,
    label,
    value,
    options,
    firstActive = false,
    empty,
    foot,
    onActive,
    onChoose,
  } = props;
  const [active, setActive] = useState<string>();
  // Said before the list of the next question says what is active there.
  const end = useEffectEvent(() => onActive(undefined));
  useLayoutEffect(() => () => end(), []);
  const isFlat = options.every(({ section }) => section === undefined);
  const sections = [...Map.groupBy(options, ({ section = '' }) => section)].map(([title, items]) => ({
    id: title,
    items,
  }));
  const optionOf = (option: CompletionOption): ReactElement => (
    <Base.Item
      key={option.id}
      value={option}
      aria-selected={option.id === active}
      className={list.option}
      onClick={() => onChoose(option)}
    >
      <span className={styles.text} translate="no">
        {option.label}
      </span>
      {option.detail && <span className={styles.detail}>{option.detail}</span>}
      {option.note && <span className={styles.note}>{option.note}</span>}
    </Base.Item>
  );
  return (
    // In line: what is elsewhere keeps its place in the tree for screen readers, and nothing takes the focus.
    <Base.Root<CompletionOption | Section>
      open
      inline
      mode="none"
      autoHighlight={firstActive ? 'always' : false}
      highlightItemOnHover={false}
      items={isFlat ? options : sections}
      value={value}
      onItemHighlighted={(option) => {
        setActive(option?.id);
        onActive(option?.id);
      }}
    >
      <Base.Input render={(input) => <Behind input={input} field={field} keys={keys} />} />
      <Base.Portal>
        <Base.Positioner
          className={popup.positioner}
          anchor={anchor}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // The focus stays in the field, also when something between the options is pressed.
          onMouseDown={(event) => event.preventDefault()}
        >
          <div className={cx(popup.popup, popup.bare, styles.popup)}>
            <Base.List id={id} aria-label={label} className={list.options}>
              {isFlat
                ? optionOf
                : ({ id: title, items }: Section) => (
                    <Base.Group key={title} items={items}>
                      <Base.GroupLabel className={styles.section}>{title}</Base.GroupLabel>
                      <Base.Collection>{optionOf}</Base.Collection>
                    </Base.Group>
                  )}
            </Base.List>
            <Base.Empty className={list.note}>{empty}</Base.Empty>
            {foot && (
              <p className={styles.foot} aria-hidden="true">
                {foot}
              </p>
            )}
          </div>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Base UI's input without an element: the page's field was there before its code, and must not be another one after it. What
 * the input would say of itself is said of the field, and what is done to the field is done to it.
 */
function Behind({ input, field, keys }: { readonly input: InputProps } & Pick<Props, 'field' | 'keys'>) {
  const { ref, onKeyDown, onChange, 'aria-activedescendant': active } = input;
  useImperativeHandle(
    keys,
    () => ({ onKeyDown: (event) => onKeyDown?.(event), onChange: (event) => onChange?.(event) }),
    [onKeyDown, onChange],
  );
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return undefined;
    ref(field.current);
    return () => void ref(null);
  }, [ref, field]);
  useLayoutEffect(() => {
    const element = field.current;
    if (active) element?.setAttribute('aria-activedescendant', active);
    return () => element?.removeAttribute('aria-activedescendant');
  }, [field, active]);
  return null;
}
