import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

type ButtonLook = { variant?: 'primary' | 'outline' | 'quiet' | 'gold' | 'danger'; size?: 'md' | 'lg' };

const variants = {
  primary: 'bg-bean text-on-bean hover:bg-bean-strong disabled:opacity-55',
  outline: 'border border-line-strong/50 bg-surface text-ink hover:border-bean hover:text-bean disabled:opacity-55',
  quiet: 'text-ink-2 hover:bg-bean-soft hover:text-bean disabled:opacity-55',
  /** Reserved for actions with credits. */
  gold: 'bg-gold-soft text-gold hover:not-disabled:bg-gold hover:not-disabled:text-gold-soft disabled:bg-sunken disabled:text-ink-2',
  danger: 'border border-line-strong/50 bg-surface text-red hover:border-red disabled:opacity-55',
};
const sizes = { md: 'h-10 px-4 text-14', lg: 'h-12 px-6 text-16' };

export const buttonClass = ({ variant = 'primary', size = 'md' }: ButtonLook = {}, extraClass = '') =>
  `inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed ${variants[variant]} ${sizes[size]} ${extraClass}`;

/**
 * While `pending`, the button shows a spinner and ignores clicks. It has no `disabled` attribute then, because a
 * browser takes the focus from a disabled element and a dialog could not return it.
 */
export function Button({
  variant,
  size,
  className,
  type = 'button',
  pending = false,
  onClick,
  children,
  ...rest
}: ComponentProps<'button'> & ButtonLook & { pending?: boolean }) {
  return (
    <button
      type={type}
      className={buttonClass({ variant, size }, className)}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {pending ? <LoaderCircle aria-hidden="true" className="size-4.5 animate-spin" /> : null}
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link className={buttonClass({ variant, size }, className)} {...rest} />;
}

/** Square button with an icon; `label` is its accessible name and its tooltip. */
export function IconButton({ label, className = '', ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`grid size-10 shrink-0 place-items-center rounded-md transition-colors hover:bg-bean-soft hover:text-bean ${className}`}
      {...rest}
    />
  );
}
