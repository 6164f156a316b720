import { Spin } from 'antd';
import { lazy, type ReactNode, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { useSession } from '#modules/account/web/session-store.ts';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import '#platform/web/admin/admin.css';
import '#platform/web/admin/admin-sections.css';
import { AdminGuard } from './admin-guard.tsx';
import { AdminLayout } from './admin-layout.tsx';
import { firstChildPage } from './admin-menu.tsx';
import { AdminProviders } from './admin-providers.tsx';
import { DashboardScreen } from './dashboard-screen.tsx';

const CategoryScreen = lazy(() =>
  import('#modules/category/web/admin/category-screen.tsx').then((file) => ({
    default: file.CategoryScreen,
  })),
);
const DocumentScreen = lazy(() =>
  import('./document-screen-with-near-copies.tsx').then((file) => ({
    default: file.DocumentScreenWithNearCopies,
  })),
);
const RecycleScreen = lazy(() =>
  import('#modules/document/web/admin/recycle-screen.tsx').then((file) => ({
    default: file.RecycleScreen,
  })),
);
const QueueScreen = lazy(() =>
  import('./queue-screen.tsx').then((file) => ({
    default: file.QueueScreen,
  })),
);
const SearchScreen = lazy(() =>
  import('#modules/search/web/admin/search-screen.tsx').then((file) => ({
    default: file.SearchScreen,
  })),
);
const AttachmentScreen = lazy(() =>
  import('#modules/attachment/web/admin/attachment-screen.tsx').then((file) => ({
    default: file.AttachmentScreen,
  })),
);
const CommentScreen = lazy(() =>
  import('#modules/comment/web/admin/comment-screen.tsx').then((file) => ({
    default: file.CommentScreen,
  })),
);
const ReportScreen = lazy(() =>
  import('#modules/report/web/admin/report-screen.tsx').then((file) => ({
    default: file.ReportScreen,
  })),
);
const BannerScreen = lazy(() =>
  import('#modules/banner/web/admin/banner-screen.tsx').then((file) => ({
    default: file.BannerScreen,
  })),
);
const ArticleScreen = lazy(() =>
  import('#modules/article/web/admin/article-screen.tsx').then((file) => ({
    default: file.ArticleScreen,
  })),
);
const FriendLinkScreen = lazy(() =>
  import('#modules/friend-link/web/admin/friend-link-screen.tsx').then((file) => ({
    default: file.FriendLinkScreen,
  })),
);
const SettingsScreen = lazy(() =>
  import('#modules/settings/web/admin/settings-screen.tsx').then((file) => ({
    default: file.SettingsScreen,
  })),
);
const RoleScreen = lazy(() =>
  import('#modules/role/web/admin/role-screen.tsx').then((file) => ({
    default: file.RoleScreen,
  })),
);
const PermissionScreen = lazy(() =>
  import('#modules/role/web/admin/permission-screen.tsx').then((file) => ({
    default: file.PermissionScreen,
  })),
);
const AuditScreen = lazy(() =>
  import('#modules/audit/web/admin/audit-screen.tsx').then((file) => ({
    default: file.AuditScreen,
  })),
);
const MailScreen = lazy(() =>
  import('#modules/mail/web/admin/mail-screen.tsx').then((file) => ({ default: file.MailScreen })),
);
const AccountScreen = lazy(() =>
  import('./account-screen-with-credit.tsx').then((file) => ({ default: file.AccountScreenWithCredit })),
);

const screens: Record<string, ReactNode> = {
  dashboard: <DashboardScreen />,
  'document/category': <CategoryScreen />,
  banner: <BannerScreen />,
  article: <ArticleScreen />,
  friendlink: <FriendLinkScreen />,
  config: <SettingsScreen pictures={imageUploadApi.uploadConfig} />,
  'document/list': <DocumentScreen />,
  'document/recycle': <RecycleScreen />,
  'document/queue': <QueueScreen />,
  'document/searchrecord': <SearchScreen />,
  'user/list': <AccountScreen />,
  'user/group': <RoleScreen />,
  'user/permission': <PermissionScreen />,
  audit: <AuditScreen />,
  mail: <MailScreen />,
  comment: <CommentScreen />,
  report: <ReportScreen />,
  attachment: <AttachmentScreen />,
};

function RedirectToFirstChild({ group }: { group: string }) {
  const pages = useSession((session) => session.pages);
  return <Navigate to={firstChildPage(group, pages)} replace />;
}

export function AdminApp() {
  return (
    <AdminProviders>
      <Routes>
        <Route element={<AdminGuard />}>
          <Route element={<AdminLayout />}>
            <Route index element={<Navigate to="/admin/dashboard" replace />} />
            <Route path="index" element={<Navigate to="/admin/dashboard" replace />} />
            <Route path="document" element={<RedirectToFirstChild group="/admin/document" />} />
            <Route path="user" element={<RedirectToFirstChild group="/admin/user" />} />
            {Object.entries(screens).map(([path, screen]) => (
              <Route
                key={path}
                path={path}
                element={<Suspense fallback={<Spin className="admin-waiting" />}>{screen}</Suspense>}
              />
            ))}
          </Route>
        </Route>
      </Routes>
    </AdminProviders>
  );
}
