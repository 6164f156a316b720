import * as z from 'zod/mini';
import type { NotificationKind } from './notification.contract.ts';

const document = z.object({ id: z.int(), title: z.string() });
const commentFields = { comment_id: z.int(), excerpt: z.string() };
const outcomeFields = { decision: z.string(), reason: z.string() };
const availabilityFields = { isGone: z._default(z.boolean(), false) };

type NotificationText = { content: string; link: string };

const defineNotificationText = <P extends z.ZodMiniType>(
  payload: P,
  describe: (payload: z.output<P>, actor: { id: number; username: string }) => NotificationText,
) => ({
  payload,
  /** Parses the stored payload with the schema that it was written with. */
  describe: (storedPayload: unknown, actor: { id: number; username: string }): NotificationText =>
    describe(z.parse(payload, storedPayload), actor),
});

const commentLink = (documentId: number, commentId: number) => `/document/${documentId}?comment=${commentId}`;
const documentLink = (id: number, isGone: boolean) => (isGone ? '/notification' : `/document/${id}`);
const reasonSuffix = (reason: string) => (reason ? `：${reason}` : '');

/** Payload, text and link of each kind of notification. */
export const notificationTexts = {
  comment: defineNotificationText(
    z.object({ document, ...commentFields }),
    ({ document: { id, title }, comment_id, excerpt }, { username }) => ({
      content: `${username} 评论了您的文档《${title}》：${excerpt}`,
      link: commentLink(id, comment_id),
    }),
  ),
  reply: defineNotificationText(
    z.object({ document, ...commentFields }),
    ({ document: { id, title }, comment_id, excerpt }, { username }) => ({
      content: `${username} 在《${title}》中回复了您：${excerpt}`,
      link: commentLink(id, comment_id),
    }),
  ),
  mention: defineNotificationText(
    z.object({ document, ...commentFields }),
    ({ document: { id, title }, comment_id, excerpt }, { username }) => ({
      content: `${username} 在《${title}》的评论中提到了您：${excerpt}`,
      link: commentLink(id, comment_id),
    }),
  ),
  favorite: defineNotificationText(z.object({ document }), ({ document: { id, title } }, { username }) => ({
    content: `${username} 收藏了您的文档《${title}》`,
    link: `/document/${id}`,
  })),
  follow: defineNotificationText(z.object({}), (_, { id, username }) => ({
    content: `${username} 关注了您`,
    link: `/user/${id}`,
  })),
  review: defineNotificationText(
    z.object({ document, ...outcomeFields, ...availabilityFields, excerpt: z.optional(z.string()) }),
    ({ document: { id, title }, excerpt, decision, reason, isGone }) => ({
      content:
        excerpt === undefined
          ? `您的文档《${title}》${decision}${reasonSuffix(reason)}`
          : `您对《${title}》的评论“${excerpt}”${decision}${reasonSuffix(reason)}`,
      link: documentLink(id, isGone),
    }),
  ),
  report: defineNotificationText(
    z.object({ document, ...outcomeFields, ...availabilityFields }),
    ({ document: { id, title }, decision, reason, isGone }) => ({
      content: `您举报的文档《${title}》${decision}${reasonSuffix(reason)}`,
      // The reporter cannot open a disabled or deleted document.
      link: documentLink(id, isGone),
    }),
  ),
} as const satisfies Record<NotificationKind, unknown>;

/** The kind determines the type of the payload. */
export type NewNotification = {
  [K in NotificationKind]: {
    userId: number;
    /** The acting user; null for the site. */
    actorId: number | null;
    kind: K;
    /** Identifies the event among all notifications of the user, so that it is reported once. */
    key: string;
    payload: z.input<(typeof notificationTexts)[K]['payload']>;
  };
}[NotificationKind];
