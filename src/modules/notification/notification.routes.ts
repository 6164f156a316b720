import { route } from '#platform/server/http/route.ts';
import { notificationApi } from './notification.contract.ts';
import {
  countUnread,
  listNotificationSettings,
  listNotifications,
  markRead,
  removeNotifications,
  updateNotificationSetting,
} from './notification.ts';

export const notificationRoutes = [
  route(notificationApi.list, listNotifications),
  route(notificationApi.unread, countUnread),
  route(notificationApi.read, markRead),
  route(notificationApi.remove, removeNotifications),
  route(notificationApi.settings, listNotificationSettings),
  route(notificationApi.updateSetting, updateNotificationSetting),
];
