import { useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  useForm as useHookForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form';

/** What a field spreads into itself. */
export type FieldProps = Omit<UseFormRegisterReturn, 'disabled'> & { readonly error: string | undefined };

export interface KitForm<T extends FieldValues> {
  /** Ties a field to a value by its name; `rules` say what it must be, in the words that are shown when it is not. */
  readonly field: <N extends FieldPath<T>>(name: N, rules?: RegisterOptions<T, N>) => FieldProps;
  readonly watch: UseFormReturn<T>['watch'];
  readonly set: UseFormReturn<T>['setValue'];
  readonly submit: (event: React.SyntheticEvent) => void;
  /** What the server said to it. */
  readonly failure: unknown;
  readonly isSaving: boolean;
  readonly isValid: boolean;
  readonly isPressable: boolean;
  /** Differs from what it started with. */
  readonly isChanged: boolean;
}

/** A form over native inputs, which keep their values themselves: typing draws nothing but the field. */
export function useForm<T extends FieldValues>({
  start,
  save,
  pressable = false,
}: {
  readonly start: DefaultValues<T>;
  /** Resolves to false where it was not saved after all: somebody was asked and did not want it. */
  readonly save: (values: T) => Promise<unknown>;
  /**
   * Its button can be pressed from the start, and says then what is missing: for pages on which little else is done. Else
   * it waits, and fields say what is wrong as they are left.
   */
  readonly pressable?: boolean;
}): KitForm<T> {
  const { register, handleSubmit, watch, setValue, reset, formState, getFieldState } = useHookForm<T>({
    defaultValues: start,
    // What appears as a field is left would move the button from under the pointer that leaves it.
    mode: pressable ? 'onSubmit' : 'onTouched',
  });
  const [failure, setFailure] = useState<unknown>();
  const { isSubmitting, isValid, isDirty } = formState;
  const submit = handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      // What is saved is what it starts with now.
      if ((await save(values)) !== false) reset(values, { keepValues: true });
    } catch (error) {
      setFailure(error);
    }
  });
  return {
    field: (name, rules) => ({
      ...register(name, rules),
      error: getFieldState(name, formState).error?.message || undefined,
    }),
    watch,
    set: setValue,
    submit: (event) => void submit(event),
    failure,
    isSaving: isSubmitting,
    isValid,
    isPressable: pressable,
    isChanged: isDirty,
  };
}
