import { type ChangeEvent, type FormEvent, useState } from 'react';
import { useHydrated } from './use-hydrated.ts';

type Values<K extends string> = Record<K, string>;
type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** For each field a rule that returns the error message, or '' when the value is valid. */
export type FieldRules<K extends string> = Partial<Record<K, (values: Values<K>) => string>>;

export function validateFields<K extends string>(rules: FieldRules<K>, values: Values<K>) {
  const entries = Object.entries<FieldRules<K>[K]>(rules).map(([name, rule]) => [name, rule?.(values)]);
  return Object.fromEntries(entries.filter(([, message]) => message)) as Partial<Values<K>>;
}

/** Clears errors of rules that the changed values satisfy: a mismatch of two fields ends when either changes. */
export function resolvedErrors<K extends string>(
  rules: FieldRules<K>,
  fieldErrors: Partial<Values<K>>,
  before: Values<K>,
  after: Values<K>,
) {
  const names = (Object.keys(fieldErrors) as K[]).filter(
    (name) => fieldErrors[name] && rules[name]?.(before) === fieldErrors[name] && rules[name]?.(after) === '',
  );
  return Object.fromEntries(names.map((name) => [name, ''])) as Partial<Values<K>>;
}

export const errorMessageOf = (error: unknown) => (error instanceof Error ? error.message : '');

type Options<K extends string> = {
  initial: Values<K>;
  rules?: NoInfer<FieldRules<K>>;
  /** Called with valid values only. */
  send: (values: Values<K>) => Promise<unknown>;
  /** Called with the error that `send` threw. */
  onError?: (error: unknown) => void;
};

/** State of a form of text fields. Rules are checked when a field loses focus and before `send`. */
export function useForm<K extends string>({ initial, rules = {}, send, onError }: Options<K>) {
  const [values, setValues] = useState(initial);
  const [fieldErrors, setFieldErrorState] = useState<Partial<Values<K>>>({});
  const [isPending, setIsPending] = useState(false);
  const isHydrated = useHydrated();

  const set = (changedValues: Partial<Values<K>>) => {
    const after = { ...values, ...changedValues };
    setValues((before) => ({ ...before, ...changedValues }));
    setFieldErrorState((before) => ({
      ...before,
      ...resolvedErrors(rules, before, values, after),
      ...emptyErrorsForFields(changedValues),
    }));
  };
  /** Shows errors that no rule can detect, such as those of the server. */
  const setFieldErrors = (errors: Partial<Values<K>>) => setFieldErrorState((before) => ({ ...before, ...errors }));
  const reset = () => {
    setValues(initial);
    setFieldErrorState({});
  };
  /** Stores text that the user typed before hydration. The next rendering would replace it with the initial value. */
  const storeTypedText = (name: K) => (field: FormField | null) => {
    if (field && field.value !== initial[name]) setValues((before) => ({ ...before, [name]: field.value }));
  };
  const bind = (name: K) => ({
    name,
    ref: isHydrated ? undefined : storeTypedText(name),
    value: values[name],
    error: fieldErrors[name],
    onChange: ({ target }: ChangeEvent<FormField>) => set({ [name]: target.value } as Partial<Values<K>>),
    onBlur: () => setFieldErrorState((before) => ({ ...before, [name]: rules[name]?.(values) })),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const errors = validateFields(rules, values);
    setFieldErrorState(errors);
    const [firstInvalidField] = Object.keys(errors);
    if (firstInvalidField !== undefined) return focusField(event.currentTarget, firstInvalidField);
    setIsPending(true);
    try {
      await send(values);
    } catch (error) {
      if (!onError) throw error;
      onError(error);
    } finally {
      setIsPending(false);
    }
  };
  return { values, pending: isPending, bind, set, setFieldErrors, reset, submit };
}

const emptyErrorsForFields = (changedValues: object) =>
  Object.fromEntries(Object.keys(changedValues).map((name) => [name, '']));

function focusField(form: HTMLFormElement, name: string) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
