import type { ReactNode } from 'react';
import { LostPageIllustration } from '#platform/web/ui/illustrations.tsx';

type Props = {
  status: number;
  message: string;
  detail?: string;
  children: ReactNode;
};

/** The layout of every error page. Uses no router components, because static pages render it too. */
export const ErrorPageLayout = ({ status, message, detail = '', children }: Props) => (
  <main className="page-width flex min-h-[70vh] flex-col items-center justify-center py-16 text-center">
    <LostPageIllustration />
    {status > 0 ? <p className="mt-6 font-serif text-36 font-bold tracking-wide">{status}</p> : null}
    <h1 className="mt-2 text-16">{message}</h1>
    <p className="mt-1 text-14 text-ink-2 empty:hidden">{detail}</p>
    {children}
  </main>
);
