import * as z from 'zod/mini';
import { type ActivityType, activityTypes } from './activity.contract.ts';

/** For whom a sentence is made. Beans are nobody else's business. */
export type ActivityViewer = { isOwner: boolean; creditName: string };

const document = z.object({ id: z.int(), title: z.string() });
const amount = z._default(z.int(), 0);
/** `received` when it was somebody else who did it to a document of this user. */
const received = z._default(z.boolean(), false);

const awardSuffix = (award: number, { isOwner, creditName }: ActivityViewer) =>
  isOwner && award > 0 ? `，获得 ${award} 个${creditName}奖励` : '';
const priceSuffix = (verb: string, price: number, { isOwner, creditName }: ActivityViewer) =>
  isOwner && price > 0 ? `，${verb} ${price} 个${creditName}` : '';

const kind = <P extends z.ZodMiniObject>(
  payload: P,
  describe: (payload: z.output<P>, reader: ActivityViewer) => string,
  { isPublic = false } = {},
) => ({
  isPublic,
  payload,
  /** Rows are read back through the same schema they were written by. */
  describe: (stored: unknown, reader: ActivityViewer): string => describe(z.parse(payload, stored), reader),
});
const fixedSentence = (sentence: string) => kind(z.object({}), () => sentence);
const PUBLIC = { isPublic: true };

/** What each type holds and what people read. Only some are for everybody. */
export const activityKinds = {
  comment: kind(
    z.object({ document, received, award: amount }),
    ({ document: { title }, received, award }, reader) =>
      received ? `文档《${title}》收到了评论${awardSuffix(award, reader)}` : `评论了文档《${title}》`,
    PUBLIC,
  ),
  favorite: kind(
    z.object({ document, received, award: amount }),
    ({ document: { title }, received, award }, reader) =>
      received ? `文档《${title}》被收藏${awardSuffix(award, reader)}` : `收藏了文档《${title}》`,
    PUBLIC,
  ),
  upload: kind(
    z.object({ document, award: amount }),
    ({ document: { title }, award }, reader) => `上传了文档《${title}》${awardSuffix(award, reader)}`,
    PUBLIC,
  ),
  download: kind(
    z.object({ document, price: amount }),
    ({ document: { title }, price }, reader) => `下载了文档《${title}》${priceSuffix('支付', price, reader)}`,
  ),
  login: fixedSentence('登录了网站'),
  register: kind(
    z.object({ award: amount }),
    ({ award }, reader) => `注册成为本站用户${awardSuffix(award, reader)}`,
    PUBLIC,
  ),
  avatar: fixedSentence('更换了头像'),
  password: fixedSentence('修改了密码'),
  profile: fixedSentence('修改了资料'),
  verify: fixedSentence('完成了认证'),
  sign: kind(z.object({ award: amount }), ({ award }, reader) => `完成了每日签到${awardSuffix(award, reader)}`, PUBLIC),
  share: kind(z.object({ document }), ({ document: { title } }) => `分享了文档《${title}》`, PUBLIC),
  follow: kind(
    z.object({ user: z.object({ id: z.int(), username: z.string() }) }),
    ({ user: { username } }) => `关注了 ${username}`,
    PUBLIC,
  ),
  delete_document: kind(
    z.object({ document, penalty: amount }),
    ({ document: { title }, penalty }, reader) => `删除了文档《${title}》${priceSuffix('扣除', penalty, reader)}`,
  ),
} as const satisfies Record<ActivityType, unknown>;

/** An activity to be noted: its type decides what belongs to it. */
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
