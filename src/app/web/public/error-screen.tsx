import { useEffect } from 'react';
import { isRouteErrorResponse, useNavigate, useRevalidator, useRouteError } from 'react-router';
import { useUser } from '#modules/account/web/session.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { siteAccessErrors } from '#modules/role/site-access.contract.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { httpErrors, isTransientStatus } from '#platform/contract/errors.ts';
import { FallbackBoundary } from '#platform/web/fallback-boundary.tsx';
import { useHydrated } from '#platform/web/hydrated.ts';
import type { LoadFailure } from '#platform/web/page-loader.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';
import { PageSkeleton } from '#platform/web/ui/page-skeleton.tsx';
import { ErrorText } from './error-text.tsx';
import { SiteClosed } from './site-closed.tsx';

export const NOT_FOUND = 'This page could not be found';

type Shown = { status: number; message: string; detail: string };

/** What the API said when it refused. */
const failureOf = (error: unknown): Partial<LoadFailure> => (isRouteErrorResponse(error) ? (error.data ?? {}) : {});

/** What the error page says: the status, the message, and for a 404 the reason the API gave. */
export function describeError(error: unknown): Shown {
  if (!isRouteErrorResponse(error)) {
    return { status: 500, message: '页面出错了，请刷新后重试', detail: '' };
  }
  const { message = '' } = failureOf(error);
  if (error.status !== 404) {
    return { status: error.status, message: message || '页面加载失败，请稍后重试', detail: '' };
  }
  const reason = message === NOT_FOUND ? '' : message;
  return { status: 404, message: NOT_FOUND, detail: reason || '您访问的页面不存在，或已被移走' };
}

function Details() {
  const error = useRouteError();
  const { logo } = useSettings().system;
  const { code = '', message = '' } = failureOf(error);
  if (code === siteAccessErrors.closed.code) return <SiteClosed statement={message} logo={logo} />;
  if (code === httpErrors.loginRequired.code) return <ToLogin />;
  return <AnswerForUser error={error} />;
}

/**
 * The server renders every page for a visitor. A logged-in user sees a skeleton in place of the
 * visitor's refusal until the browser has asked with the token of the session.
 */
function AnswerForUser({ error }: { error: unknown }) {
  const { code = '', isVisitorAnswer = false } = failureOf(error);
  const user = useUser();
  const isHydrated = useHydrated();
  const { revalidate } = useRevalidator();
  const isAsking = isVisitorAnswer && user !== null;
  useEffect(() => {
    if (isAsking) void revalidate();
  }, [isAsking, revalidate]);
  const refusal = code === documentErrors.membersOnly.code ? <MembersOnly /> : <Told error={error} />;
  if (isAsking) return <PageSkeleton />;
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

/** The page needs somebody logged in: the way there, and back afterwards. */
function ToLogin() {
  const href = useLoginHref();
  const navigate = useNavigate();
  useEffect(() => void navigate(href, { replace: true }), [href, navigate]);
  return null;
}

/** What failed may succeed in a moment: it is asked for when the network is back, or on demand. */
function useRetry(isWorthIt: boolean) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isWorthIt) return;
    const retry = () => void revalidate();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isWorthIt, revalidate]);
  return { retry: () => void revalidate(), isPending: state === 'loading' };
}

function Told({ error }: { error: unknown }) {
  const { status, message, detail } = describeError(error);
  const mayPass = isTransientStatus(status);
  const { retry, isPending } = useRetry(mayPass);
  return (
    <>
      <PageHead title={status === 404 ? '404 页面未找到' : '页面出错了'} hidden />
      <ErrorText status={status} message={message} detail={detail}>
        <div className="mt-8 flex justify-center gap-3">
          {mayPass ? (
            <Button onClick={retry} pending={isPending}>
              重试
            </Button>
          ) : null}
          <ButtonLink to="/" variant={mayPass ? 'outline' : undefined}>
            返回首页
          </ButtonLink>
        </div>
      </ErrorText>
    </>
  );
}

/** A document for logged-in users, opened by a visitor. Shows nothing of the document. */
function MembersOnly() {
  const loginHref = useLoginHref();
  return (
    <>
      <PageHead title="登录后可见" hidden />
      <ErrorText status={0} message="登录后可见">
        <div className="mt-8 flex justify-center gap-3">
          <ButtonLink to={loginHref} rel="nofollow">
            登录
          </ButtonLink>
          <ButtonLink to="/" variant="outline">
            返回首页
          </ButtonLink>
        </div>
      </ErrorText>
    </>
  );
}

/** Status, message and the way home; a plain sentence when even that fails. */
export function ErrorScreen() {
  return (
    <FallbackBoundary>
      <Details />
    </FallbackBoundary>
  );
}
