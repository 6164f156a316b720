import { type ComponentProps, type ReactNode, useId } from 'react';

type FieldText = {
  label: string;
  /** Replaces the hint. */
  error?: string;
  hint?: string;
};

const box =
  'w-full rounded-md border border-line-strong bg-surface px-3.5 text-15 transition-colors hover:border-ink-2 focus:border-bean read-only:border-line read-only:bg-sunken read-only:text-ink-2 aria-invalid:border-red';

/** The line below the input is always reserved, so that an appearing message does not shift the layout. */
export function FieldFrame({ id, label, error, hint, children }: FieldText & { id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-14 font-medium">
        {label}
      </label>
      {children}
      <p
        id={`${id}-message`}
        aria-live="polite"
        className={`min-h-8.5 pt-1 pb-2 text-13 ${error ? 'text-red' : 'text-ink-2'}`}
      >
        {error || hint}
      </p>
    </div>
  );
}

/** Attributes that connect an input with the label and the message of its `FieldFrame`. */
export const inputAttributes = (id: string, error?: string, describedBy = '') => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': `${describedBy} ${id}-message`.trim(),
});

type FieldProps = ComponentProps<'input'> &
  FieldText & {
    /** Id of a further element that describes the input. */
    describedBy?: string;
    /** Shown in one row with the input. */
    beside?: ReactNode;
  };

/** Labelled text input with hint and error message. */
export function Field({ label, error, hint, describedBy, beside, className = '', ...rest }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className="flex gap-3">
        <input {...inputAttributes(id, error, describedBy)} className={`h-11 min-w-0 ${box} ${className}`} {...rest} />
        {beside}
      </div>
    </FieldFrame>
  );
}

/** Labelled multi-line input with hint and error message. */
export function TextArea({
  label,
  error,
  hint,
  className = '',
  rows = 3,
  ...rest
}: ComponentProps<'textarea'> & FieldText) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea
        {...inputAttributes(id, error)}
        rows={rows}
        className={`block resize-y py-2 ${box} ${className}`}
        {...rest}
      />
    </FieldFrame>
  );
}
