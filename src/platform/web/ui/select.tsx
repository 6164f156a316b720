import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { FieldFrame, inputAttributes } from './field.tsx';

type Props = ComponentProps<'select'> & {
  label: string;
  error?: string;
  hint?: string;
  options: { value: string; label: string }[];
};

/** Labelled native select, for its touch and screen reader support. */
export function Select({ label, error, hint, options, ...rest }: Props) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className="relative">
        <select
          {...inputAttributes(id, error)}
          className="h-11 w-full appearance-none rounded-md border border-line-strong bg-surface pr-10 pl-3.5 text-15 transition-colors hover:border-ink-2 focus:border-bean aria-invalid:border-red"
          {...rest}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 size-4.5 -translate-y-1/2 text-ink-2"
        />
      </div>
    </FieldFrame>
  );
}
