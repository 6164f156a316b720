import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { activities } from '#modules/activity/activity.table.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { notifications } from '#modules/notification/notification.table.ts';
import { notify } from '#modules/notification/notify.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addConvertedDocument, createCategoryChain, newUploader } from './document.fixture.ts';

const { app, ctx, as } = await testApp();
const owner = await newUploader(ctx);
const fan = await newMember(ctx);
const category_id = await createCategoryChain(ctx);

async function addMentionedDocument(title: string) {
  const id = await addConvertedDocument(ctx, owner, { title, category_id });
  const payload = { document: { id, title } };
  await recordActivity(ctx, { userId: fan.id, type: 'share', payload });
  await notify(ctx, {
    userId: fan.id,
    actorId: null,
    kind: 'review',
    key: `test:${id}`,
    payload: { ...payload, decision: '已通过审核', reason: '' },
  });
  return id;
}

async function readMentions(id: number) {
  const [activity] = await ctx.db.select().from(activities).where(eq(activities.document_id, id));
  const [notification] = await ctx.db
    .select()
    .from(notifications)
    .where(eq(notifications.key, `test:${id}`));
  const titleOf = (payload: unknown) => (payload as { document: { title: string } }).document.title;
  return {
    activity: titleOf(activity?.payload),
    notification: titleOf(notification?.payload),
    isHidden: activity?.is_hidden,
  };
}

async function send(method: 'PUT' | 'DELETE', path: string, payload?: object) {
  const response = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: await as.root(),
    ...(payload && { payload }),
  });
  expect(response.json()).toEqual({});
}

test('activities and notifications show the new title of a renamed document', async () => {
  const id = await addMentionedDocument('旧名');
  await send('PUT', '/document', { id, title: '新名' });
  await expect.poll(() => readMentions(id)).toEqual({ activity: '新名', notification: '新名', isHidden: false });
});

test('activities are hidden while their document is private, disabled or deleted', async () => {
  const id = await addMentionedDocument('时隐时现');
  const expectHidden = (isHidden: boolean) => expect.poll(async () => (await readMentions(id)).isHidden).toBe(isHidden);
  await send('PUT', '/document', { id, visibility: 2 });
  await expectHidden(true);
  await send('PUT', '/document', { id, visibility: 0 });
  await expectHidden(false);
  await send('PUT', '/document/check', { id: [id], status: 4 });
  await expectHidden(true);
  await send('PUT', '/document/check', { id: [id], status: 2 });
  await expectHidden(false);
  await send('DELETE', `/document?id=${id}`);
  await expectHidden(true);
  await send('PUT', '/document/recycle', { id: [id] });
  await expectHidden(false);
});
