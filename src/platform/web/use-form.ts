import { type ChangeEvent, type FormEvent, useState } from 'react';

type Values<K extends string> = Record<K, string>;
/** For each field: what is wrong with it, given all of them; '' when nothing is. */
export type Rules<K extends string> = Partial<Record<K, (values: Values<K>) => string>>;

/** Only the fields with something wrong. */
export function problemsOf<K extends string>(rules: Rules<K>, values: Values<K>) {
  const found = Object.entries<Rules<K>[K]>(rules).map(([name, rule]) => [name, rule?.(values)]);
  return Object.fromEntries(found.filter(([, problem]) => problem)) as Partial<Values<K>>;
}

/** Problems of rules that the changed values no longer break; a mismatch concerns two fields. */
export function solvedProblems<K extends string>(
  rules: Rules<K>,
  problems: Partial<Values<K>>,
  before: Values<K>,
  after: Values<K>,
) {
  const names = (Object.keys(problems) as K[]).filter(
    (name) => problems[name] && rules[name]?.(before) === problems[name] && rules[name]?.(after) === '',
  );
  return Object.fromEntries(names.map((name) => [name, ''])) as Partial<Values<K>>;
}

/** What a failure says for itself; '' when it says nothing. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');

type Options<K extends string> = {
  initial: Values<K>;
  rules?: NoInfer<Rules<K>>;
  /** Gets values that break no rule. */
  send: (values: Values<K>) => Promise<void>;
  /** Gets what `send` threw. */
  failed: (error: unknown) => void;
};

/** Text fields with rules that are checked when a field is left and before anything is sent. */
export function useForm<K extends string>({ initial, rules = {}, send, failed }: Options<K>) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Partial<Values<K>>>({});
  const [pending, setPending] = useState(false);

  const set = (changed: Partial<Values<K>>) => {
    const after = { ...values, ...changed };
    setValues((before) => ({ ...before, ...changed }));
    setProblems((before) => ({
      ...before,
      ...solvedProblems(rules, before, values, after),
      ...blanked(changed),
    }));
  };
  /** Shows at its field what was found wrong elsewhere, as by the server. */
  const tell = (found: Partial<Values<K>>) => setProblems((before) => ({ ...before, ...found }));
  const reset = () => {
    setValues(initial);
    setProblems({});
  };
  const bind = (name: K) => ({
    name,
    value: values[name],
    error: problems[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      set({ [name]: target.value } as Partial<Values<K>>),
    onBlur: () => setProblems((before) => ({ ...before, [name]: rules[name]?.(values) })),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemsOf(rules, values);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first !== undefined) return focusOn(event.currentTarget, first);
    setPending(true);
    try {
      await send(values);
    } catch (error) {
      failed(error);
    } finally {
      setPending(false);
    }
  };
  return { values, pending, bind, set, tell, reset, submit };
}

const blanked = (changed: object) => Object.fromEntries(Object.keys(changed).map((name) => [name, '']));

function focusOn(form: HTMLFormElement, name: string) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
