import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { UploadNearCopies } from '#modules/near-copy/web/upload-near-copies.tsx';
import { accountApi } from '#modules/role/manage-accounts.contract.ts';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { AppError } from '#platform/contract/errors.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';

const UploadPanel = lazy(() =>
  import('#modules/upload/web/upload-panel.tsx').then((module) => ({
    default: module.UploadPanel,
  })),
);

export default function Upload() {
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead title="上传文档" />
      <h1 className="font-serif text-28 font-bold">上传文档</h1>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <UploadForm />
        <Tips />
      </div>
    </main>
  );
}

function UploadForm() {
  const user = useUser();
  const loginHref = useLoginHref();
  const isHydrated = useHydrated();
  const permissionQuery = useQueryPerUser(accountApi.canUpload, {});
  if (!isHydrated || (user && permissionQuery.isPending)) return <UploadPlaceholder />;
  if (!user)
    return (
      <section className="card">
        <EmptyState
          picture={<EmptyShelfIllustration />}
          title="您未登录，请先登录"
          action={<ButtonLink to={loginHref}>登录</ButtonLink>}
        >
          登录后即可上传文档，与大家分享。
        </EmptyState>
      </section>
    );
  // A failed refetch must not remove a running upload; the server checks the permission anyway.
  if (permissionQuery.error && !permissionQuery.data)
    return (
      <section className="card">
        {permissionQuery.error instanceof AppError && permissionQuery.error.status === 403 ? (
          <EmptyState
            picture={<EmptyShelfIllustration />}
            title={permissionQuery.error.message || '您暂无权限上传文档'}
          >
            如需上传，请联系管理员。
          </EmptyState>
        ) : (
          <ListPlaceholder query={permissionQuery} />
        )}
      </section>
    );
  return (
    <Suspense fallback={<UploadPlaceholder />}>
      <UploadPanel NearCopies={UploadNearCopies} />
    </Suspense>
  );
}

const UploadPlaceholder = () => (
  <div>
    <NoScriptNotice />
    <div aria-hidden="true" className="grid gap-6 noscript:hidden">
      <div className="card h-36 animate-pulse" />
      <div className="card h-72 animate-pulse" />
    </div>
  </div>
);

function Tips() {
  const { security } = useSettings();
  return (
    <aside className="card p-5 text-14 text-ink-2 md:p-6">
      <h2 className="font-medium text-ink">上传须知</h2>
      <ul className="mt-3 grid list-disc gap-2 pl-5">
        <li>{`单个文件不超过 ${security.max_document_size} MB，可一次选择多个文件或整个文件夹`}</li>
        <li>选好的文件立即开始传送，点“确定上传”之后才会发布；一天之内没有发布的自动删除</li>
        <li>上传可以暂停和续传，站内已有的文件无需重复上传</li>
        <li>请勿上传侵权、违法或含有他人隐私的内容</li>
      </ul>
      <p className="mt-4">
        <Link to="/article/help" className="text-bean hover:underline">
          使用帮助
        </Link>
        <span aria-hidden="true" className="mx-2">
          ·
        </span>
        <Link to="/article/feedback" className="text-bean hover:underline">
          意见反馈
        </Link>
      </p>
    </aside>
  );
}
