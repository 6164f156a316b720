import { useEffect } from 'react';
import { isRouteErrorResponse, useNavigate, useRevalidator, useRouteError } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { siteAccessErrors } from '#modules/role/site-access.contract.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { httpErrors, isTransientStatus } from '#platform/contract/errors.ts';
import { FallbackBoundary } from '#platform/web/fallback-boundary.tsx';
import { type LoadFailure, reloadBehindSkeleton } from '#platform/web/page-loader.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';
import { PageSkeleton } from '#platform/web/ui/page-skeleton.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { ErrorPageLayout } from './error-page-layout.tsx';
import { SiteClosed } from './site-closed.tsx';

const NOT_FOUND = 'This page could not be found';

type ErrorPageText = { status: number; message: string; detail: string };

/** The error of the API, if a loader threw one. */
const loaderFailure = (error: unknown): Partial<LoadFailure> => (isRouteErrorResponse(error) ? (error.data ?? {}) : {});

export function errorPageText(error: unknown): ErrorPageText {
  if (!isRouteErrorResponse(error)) {
    return { status: 500, message: '页面出错了，请刷新后重试', detail: '' };
  }
  const { message = '' } = loaderFailure(error);
  if (error.status !== 404) {
    return { status: error.status, message: message || '页面加载失败，请稍后重试', detail: '' };
  }
  const reason = message === NOT_FOUND ? '' : message;
  return { status: 404, message: NOT_FOUND, detail: reason || '您访问的页面不存在，或已被移走' };
}

function ErrorContent() {
  const error = useRouteError();
  const { logo } = useSettings().system;
  const { code = '', message = '' } = loaderFailure(error);
  if (code === siteAccessErrors.closed.code) return <SiteClosed statement={message} logo={logo} />;
  if (code === httpErrors.loginRequired.code) return <RedirectToLogin />;
  return <ErrorAfterReload error={error} />;
}

/**
 * The server renders every page for a visitor. A logged-in user sees a skeleton instead of the error for visitors until
 * the browser has loaded the page with the token of the session.
 */
function ErrorAfterReload({ error }: { error: unknown }) {
  const { code = '', isVisitorAnswer = false } = loaderFailure(error);
  const user = useUser();
  const isHydrated = useHydrated();
  const { revalidate } = useRevalidator();
  const isRevalidating = isVisitorAnswer && user !== null;
  useEffect(() => {
    if (isRevalidating) void reloadBehindSkeleton(revalidate);
  }, [isRevalidating, revalidate]);
  const refusal = code === documentErrors.membersOnly.code ? <LoginRequired /> : <ErrorMessage error={error} />;
  if (isRevalidating) return <PageSkeleton />;
  if (!isVisitorAnswer || isHydrated) return refusal;
  return (
    <>
      <div className="guest-only">{refusal}</div>
      <div className="member-only">
        <PageSkeleton />
      </div>
    </>
  );
}

function RedirectToLogin() {
  const href = useLoginHref();
  const navigate = useNavigate();
  useEffect(() => void navigate(href, { replace: true }), [href, navigate]);
  return null;
}

/** Reloads the page on demand, and for temporary errors when the network is back. */
function useRetry(isTemporary: boolean) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isTemporary) return;
    const retry = () => void revalidate();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isTemporary, revalidate]);
  return { retry: () => void revalidate(), isPending: state === 'loading' };
}

function ErrorMessage({ error }: { error: unknown }) {
  const { status, message, detail } = errorPageText(error);
  const isTemporary = isTransientStatus(status);
  const { retry, isPending } = useRetry(isTemporary);
  return (
    <>
      <PageHead title={status === 404 ? '404 页面未找到' : '页面出错了'} hidden />
      <ErrorPageLayout status={status} message={message} detail={detail}>
        <div className="mt-8 flex justify-center gap-3">
          {isTemporary ? (
            <Button onClick={retry} pending={isPending}>
              重试
            </Button>
          ) : null}
          <ButtonLink to="/" variant={isTemporary ? 'outline' : undefined}>
            返回首页
          </ButtonLink>
        </div>
      </ErrorPageLayout>
    </>
  );
}

/** For a visitor who opens a document for logged-in users. Shows nothing of the document. */
function LoginRequired() {
  const loginHref = useLoginHref();
  return (
    <>
      <PageHead title="登录后可见" hidden />
      <ErrorPageLayout status={0} message="登录后可见">
        <div className="mt-8 flex justify-center gap-3">
          <ButtonLink to={loginHref} rel="nofollow">
            登录
          </ButtonLink>
          <ButtonLink to="/" variant="outline">
            返回首页
          </ButtonLink>
        </div>
      </ErrorPageLayout>
    </>
  );
}

export function ErrorScreen() {
  return (
    <FallbackBoundary>
      <ErrorContent />
    </FallbackBoundary>
  );
}
