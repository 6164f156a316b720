import { Flag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';

const ReportDialog = lazy(() => import('./report-dialog.tsx').then((module) => ({ default: module.ReportDialog })));

/** Opens the report dialog; hidden for the owner of the document. */
export function ReportButton({ document }: { document: { id: number; title: string; user_id: number } }) {
  const user = useUser();
  const loginHref = useLoginHref();
  const [open, setOpen] = useState(false);
  const label = (
    <>
      <Flag aria-hidden="true" className="size-4" />
      举报
    </>
  );
  if (!user)
    return (
      <ButtonLink variant="quiet" to={loginHref} rel="nofollow">
        {label}
      </ButtonLink>
    );
  if (user.id === document.user_id) return null;
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <ReportDialog document={document} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
