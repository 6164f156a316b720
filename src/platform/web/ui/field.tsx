import { type ComponentProps, useId } from 'react';

/** A labelled input; an error is announced and tied to it. */
export function Field({
  label,
  error,
  className = '',
  ...rest
}: ComponentProps<'input'> & { label: string; error?: string }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-14 font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={`h-11 w-full rounded-md border border-line-strong bg-surface px-3.5 text-15 transition-colors hover:border-ink-2 focus:border-bean aria-invalid:border-red ${className}`}
        {...rest}
      />
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 text-13 text-red">
          {error}
        </p>
      ) : null}
    </div>
  );
}
