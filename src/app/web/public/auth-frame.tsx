import type { ReactNode } from 'react';
import { Link, redirect, useSearchParams } from 'react-router';
import { safeRedirect } from '#modules/access/web/safe-redirect.ts';
import { currentUser } from '#modules/access/web/session.ts';
import { BrandMark } from '#modules/settings/web/brand.tsx';
import { NeedsScript } from '#platform/web/ui/needs-script.tsx';

/**
 * Who is logged in already has no business on the pages of guests: on to the own home, or to where
 * one was sent here from.
 */
export function loginCheck({ request }: { request: Request }) {
  const user = currentUser();
  const wanted = new URL(request.url).searchParams.get('redirect');
  if (user) throw redirect(safeRedirect(wanted, `/user/${user.id}`));
  return null;
}

/** The card in which one logs in, registers or recovers a password. */
export function AuthFrame({
  title,
  background,
  children,
}: {
  title: string;
  /** Address of a picture behind the card. */
  background: string;
  children: ReactNode;
}) {
  return (
    <main
      className="grid min-h-[calc(100dvh-170px)] place-items-center bg-linear-to-b from-bean-soft to-paper bg-cover bg-center px-4 py-12"
      style={background ? { backgroundImage: `url(${JSON.stringify(background)})` } : undefined}
    >
      <div className="card w-full max-w-105 p-6 md:p-10">
        <BrandMark className="size-9 text-bean" />
        <h1 className="mt-4 font-serif text-28 font-bold">{title}</h1>
        <NeedsScript className="mt-6" />
        <div className="mt-6">{children}</div>
      </div>
    </main>
  );
}

/** To another page of guests, which then leads back to the same place. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  const wanted = useSearchParams()[0].get('redirect');
  return (
    <Link
      to={wanted ? `${to}?redirect=${encodeURIComponent(wanted)}` : to}
      className="quiet-link inline-flex min-h-10 items-center"
    >
      {children}
    </Link>
  );
}
