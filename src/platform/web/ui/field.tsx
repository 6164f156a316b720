import { type ComponentProps, type ReactNode, useId } from 'react';

type Told = {
  label: string;
  /** What is wrong with the value; takes the place of the hint. */
  error?: string;
  hint?: string;
};

const box =
  'w-full rounded-md border border-line-strong bg-surface px-3.5 text-15 transition-colors hover:border-ink-2 focus:border-bean read-only:border-line read-only:bg-sunken read-only:text-ink-2 aria-invalid:border-red';

/** The line below is always there, so that a message that comes moves nothing from under the pointer. */
export function FieldFrame({ id, label, error, hint, children }: Told & { id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-14 font-medium">
        {label}
      </label>
      {children}
      <p
        id={`${id}-told`}
        aria-live="polite"
        className={`min-h-8.5 pt-1 pb-2 text-13 ${error ? 'text-red' : 'text-ink-2'}`}
      >
        {error || hint}
      </p>
    </div>
  );
}

/** What ties an input to its label and to what is said about it. */
export const tied = (id: string, error?: string, describedBy = '') => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': `${describedBy} ${id}-told`.trim(),
});

type FieldProps = ComponentProps<'input'> &
  Told & {
    /** Id of an element that says more about the input. */
    describedBy?: string;
    /** What stands in one row with the input. */
    beside?: ReactNode;
  };

/** A labelled input; an error is announced and tied to it. */
export function Field({ label, error, hint, describedBy, beside, className = '', ...rest }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className="flex gap-3">
        <input {...tied(id, error, describedBy)} className={`h-11 min-w-0 ${box} ${className}`} {...rest} />
        {beside}
      </div>
    </FieldFrame>
  );
}

/** The same with several lines. */
export function TextArea({ label, error, hint, className = '', rows = 3, ...rest }: ComponentProps<'textarea'> & Told) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea {...tied(id, error)} rows={rows} className={`block resize-y py-2 ${box} ${className}`} {...rest} />
    </FieldFrame>
  );
}
