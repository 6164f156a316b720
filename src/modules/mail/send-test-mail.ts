import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { enqueueMail } from './mail.ts';

/** Sends a mail after the mail settings were saved, so that the administrator sees whether they work. */
export async function sendTestMail(ctx: Context, savedGroups: string[]): Promise<void> {
  if (!savedGroups.includes('email')) return;
  const { email, system } = await getSettings(ctx);
  if (!email.enable || !email.test_email) return;
  await enqueueMail(ctx, {
    to: email.test_email,
    subject: `测试邮件 - ${system.sitename}`,
    paragraphs: ['收到这封邮件，说明邮件服务已经可以使用。'],
  });
}
