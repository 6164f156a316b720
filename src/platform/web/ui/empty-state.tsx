import type { ReactNode } from 'react';

/** Shown in place of an empty list: illustration, sentence and optional action. */
export function EmptyState({
  picture,
  title,
  children,
  action,
  className = '',
}: {
  picture: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div className={`flex flex-col items-center px-6 py-12 text-center ${className}`}>
      {picture}
      <p className="mt-6 font-serif text-18 font-bold">{title}</p>
      {children ? <p className="mt-2 max-w-100 text-14 text-balance text-ink-2">{children}</p> : null}
      {action ? <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div> : null}
    </div>
  );
}
