import { route } from '#platform/server/http/route.ts';
import { notificationApi } from './notification.contract.ts';
import {
  countUnreadNotifications,
  listNotificationSettings,
  listNotifications,
  markNotificationsRead,
  removeNotifications,
  updateNotificationSetting,
} from './notification.ts';

export const notificationRoutes = [
  route(notificationApi.list, listNotifications),
  route(notificationApi.unread, countUnreadNotifications),
  route(notificationApi.read, markNotificationsRead),
  route(notificationApi.remove, removeNotifications),
  route(notificationApi.settings, listNotificationSettings),
  route(notificationApi.updateSetting, updateNotificationSetting),
];
