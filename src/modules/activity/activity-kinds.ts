import * as z from 'zod/mini';
import { type ActivityType, activityTypes } from './activity.contract.ts';

/** The reader of a description. Only the owner sees amounts of credit. */
export type ActivityViewer = { isOwner: boolean; creditName: string };

const document = z.object({ id: z.int(), title: z.string() });
const amount = z._default(z.int(), 0);
/** Whether another user did it to a document of this user. */
const receivedFlag = z._default(z.boolean(), false);

const awardSuffix = (award: number, { isOwner, creditName }: ActivityViewer) =>
  isOwner && award > 0 ? `，获得 ${award} 个${creditName}奖励` : '';
const priceSuffix = (verb: string, price: number, { isOwner, creditName }: ActivityViewer) =>
  isOwner && price > 0 ? `，${verb} ${price} 个${creditName}` : '';

const defineActivityKind = <P extends z.ZodMiniObject>(
  payload: P,
  describe: (payload: z.output<P>, viewer: ActivityViewer) => string,
  { isPublic = false } = {},
) => ({
  isPublic,
  payload,
  /** Parses the stored payload with the schema that it was written with. */
  describe: (storedPayload: unknown, viewer: ActivityViewer): string =>
    describe(z.parse(payload, storedPayload), viewer),
});
const fixedSentence = (sentence: string) => defineActivityKind(z.object({}), () => sentence);
const PUBLIC = { isPublic: true };

/** Payload and description of each type, and whether other users can see it. */
export const activityKinds = {
  comment: defineActivityKind(
    z.object({ document, received: receivedFlag, award: amount }),
    ({ document: { title }, received, award }, viewer) =>
      received ? `文档《${title}》收到了评论${awardSuffix(award, viewer)}` : `评论了文档《${title}》`,
    PUBLIC,
  ),
  favorite: defineActivityKind(
    z.object({ document, received: receivedFlag, award: amount }),
    ({ document: { title }, received, award }, viewer) =>
      received ? `文档《${title}》被收藏${awardSuffix(award, viewer)}` : `收藏了文档《${title}》`,
    PUBLIC,
  ),
  upload: defineActivityKind(
    z.object({ document, award: amount }),
    ({ document: { title }, award }, viewer) => `上传了文档《${title}》${awardSuffix(award, viewer)}`,
    PUBLIC,
  ),
  download: defineActivityKind(
    z.object({ document, price: amount }),
    ({ document: { title }, price }, viewer) => `下载了文档《${title}》${priceSuffix('支付', price, viewer)}`,
  ),
  login: fixedSentence('登录了网站'),
  register: defineActivityKind(
    z.object({ award: amount }),
    ({ award }, viewer) => `注册成为本站用户${awardSuffix(award, viewer)}`,
    PUBLIC,
  ),
  avatar: fixedSentence('更换了头像'),
  password: fixedSentence('修改了密码'),
  profile: fixedSentence('修改了资料'),
  verify: fixedSentence('完成了认证'),
  sign: defineActivityKind(
    z.object({ award: amount }),
    ({ award }, viewer) => `完成了每日签到${awardSuffix(award, viewer)}`,
    PUBLIC,
  ),
  share: defineActivityKind(z.object({ document }), ({ document: { title } }) => `分享了文档《${title}》`, PUBLIC),
  follow: defineActivityKind(
    z.object({ user: z.object({ id: z.int(), username: z.string() }) }),
    ({ user: { username } }) => `关注了 ${username}`,
    PUBLIC,
  ),
  delete_document: defineActivityKind(
    z.object({ document, penalty: amount }),
    ({ document: { title }, penalty }, viewer) => `删除了文档《${title}》${priceSuffix('扣除', penalty, viewer)}`,
  ),
} as const satisfies Record<ActivityType, unknown>;

/** The type determines the type of the payload. */
export type NewActivity = {
  [T in ActivityType]: {
    userId: number;
    type: T;
    payload: z.input<(typeof activityKinds)[T]['payload']>;
  };
}[ActivityType];

const names = Object.keys(activityTypes) as ActivityType[];
export const publicActivityTypes: readonly number[] = names
  .filter((name) => activityKinds[name].isPublic)
  .map((name) => activityTypes[name]);
export const activityTypeName = (type: number): ActivityType | undefined =>
  names.find((name) => activityTypes[name] === type);
