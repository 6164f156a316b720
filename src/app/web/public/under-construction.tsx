import type { ReactNode } from 'react';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { PageInProgress } from '#platform/web/ui/illustrations.tsx';

/** An honest answer for a part that is not built yet. */
export function UnderConstruction({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="page-width flex min-h-[60vh] flex-col items-center justify-center py-16 text-center">
      <PageInProgress />
      <h1 className="mt-6 font-serif text-28 font-bold">{title}</h1>
      <p className="mt-3 inline-flex rounded-sm bg-amber-soft px-2.5 py-0.5 text-13 text-amber">
        建设中
      </p>
      <p className="mt-3 max-w-105 text-14 text-balance text-ink-2">{children}</p>
      <ButtonLink to="/" variant="outline" className="mt-8">
        返回首页
      </ButtonLink>
    </main>
  );
}
