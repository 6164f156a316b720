import { accountRoutes } from '#modules/account/account.routes.ts';
import { isCurrentUserPassword } from '#modules/account/is-current-user-password.ts';
import { activityRoutes } from '#modules/activity/activity.routes.ts';
import { articleRoutes } from '#modules/article/article.routes.ts';
import { attachmentRoutes } from '#modules/attachment/attachment.routes.ts';
import { auditRoutes } from '#modules/audit/audit.routes.ts';
import { bannerRoutes } from '#modules/banner/banner.routes.ts';
import { captchaRoutes } from '#modules/captcha/captcha.routes.ts';
import { categoryRoutes } from '#modules/category/category.routes.ts';
import { checkInRoutes } from '#modules/check-in/check-in.routes.ts';
import { commentRoutes } from '#modules/comment/comment.routes.ts';
import { creditRoutes } from '#modules/credit/credit.routes.ts';
import { dashboardRoutes } from '#modules/dashboard/dashboard.routes.ts';
import { documentRoutes } from '#modules/document/document.routes.ts';
import { disableDocumentsOfFile } from '#modules/document/review/disable-documents-of-file.ts';
import { downloadRoutes } from '#modules/download/download.routes.ts';
import { favoriteRoutes } from '#modules/favorite/favorite.routes.ts';
import { followRoutes } from '#modules/follow/follow.routes.ts';
import { friendLinkRoutes } from '#modules/friend-link/friend-link.routes.ts';
import { mailRoutes } from '#modules/mail/mail.routes.ts';
import { sendTestMail } from '#modules/mail/send-test-mail.ts';
import { nearCopyRoutes } from '#modules/near-copy/near-copy.routes.ts';
import { notificationRoutes } from '#modules/notification/notification.routes.ts';
import { ratingRoutes } from '#modules/rating/rating.routes.ts';
import { positionRoutes } from '#modules/reading/position.routes.ts';
import { withCallerPreviewLimit } from '#modules/reading/preview-limit.ts';
import { readingRoutes } from '#modules/reading/reading.routes.ts';
import { recognitionRoutes } from '#modules/recognition/recognition.routes.ts';
import { registrationRoutes } from '#modules/registration/registration.routes.ts';
import { relatedRoutes } from '#modules/related/related.routes.ts';
import { reportRoutes } from '#modules/report/report.routes.ts';
import { requireAuthorityOver } from '#modules/role/authority.ts';
import { roleRoutes } from '#modules/role/role.routes.ts';
import { assertAccountMayEnter } from '#modules/role/site-access.ts';
import { searchRoutes } from '#modules/search/search.routes.ts';
import { settingsRoutes } from '#modules/settings/settings.routes.ts';
import { sitemapRoutes } from '#modules/sitemap/sitemap.routes.ts';
import { statisticsRoutes } from '#modules/statistics/statistics.routes.ts';
import { uploadRoutes } from '#modules/upload/upload.routes.ts';
import { watermarkRoutes } from '#modules/watermark/watermark.routes.ts';
import type { Route } from '#platform/server/http/route.ts';
import { auditLabels } from './audit-labels.ts';

export const apiRoutes: Route[] = [
  ...settingsRoutes({ verifyPassword: isCurrentUserPassword, afterUpdate: sendTestMail }),
  ...auditRoutes(auditLabels),
  ...captchaRoutes,
  ...mailRoutes,
  ...accountRoutes({ requireAuthority: requireAuthorityOver, assertAccountAdmitted: assertAccountMayEnter }),
  ...roleRoutes,
  ...registrationRoutes,
  ...attachmentRoutes({ onFileBanned: disableDocumentsOfFile }),
  ...uploadRoutes,
  ...creditRoutes,
  ...activityRoutes,
  ...checkInRoutes,
  ...categoryRoutes,
  ...articleRoutes,
  ...bannerRoutes,
  ...friendLinkRoutes,
  ...documentRoutes({ withPreview: withCallerPreviewLimit }),
  ...downloadRoutes,
  ...recognitionRoutes,
  ...watermarkRoutes,
  ...nearCopyRoutes,
  ...readingRoutes,
  ...positionRoutes,
  ...relatedRoutes,
  ...favoriteRoutes,
  ...ratingRoutes,
  ...commentRoutes,
  ...reportRoutes,
  ...followRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...dashboardRoutes,
  ...statisticsRoutes,
  ...sitemapRoutes,
];
