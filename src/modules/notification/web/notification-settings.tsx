import { useQueryClient } from '@tanstack/react-query';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { queryKeyOf } from '#platform/web/api.ts';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type NotificationSetting, notificationApi } from '../notification.contract.ts';

type NotificationSettingsOutput = OutputOf<typeof notificationApi.settings>;

const applySettingChange = (
  { setting }: NotificationSettingsOutput,
  kind: NotificationSetting['kind'],
  change: Partial<NotificationSetting>,
): NotificationSettingsOutput => ({
  setting: setting.map((each) => (each.kind === kind ? { ...each, ...change } : each)),
});

/** Updates the cached settings immediately and refetches them after the answer. */
function useSettingUpdate() {
  const client = useQueryClient();
  const update = useAction(notificationApi.updateSetting, { success: '已保存', failure: '保存失败' });
  const queryKey = queryKeyOf(notificationApi.settings);
  return async ({ kind }: NotificationSetting, change: { site?: boolean; mail?: boolean }) => {
    await client.cancelQueries({ queryKey });
    const before = client.getQueriesData<NotificationSettingsOutput>({ queryKey });
    client.setQueriesData<NotificationSettingsOutput>(
      { queryKey },
      (cachedSettings) => cachedSettings && applySettingChange(cachedSettings, kind, change),
    );
    const isSaved = await update.run({ kind, ...change });
    if (!isSaved) for (const [key, cachedSettings] of before) client.setQueryData(key, cachedSettings);
    await client.invalidateQueries({ queryKey });
  };
}

/** Selects the kinds of notifications that the user gets, and those that are also mailed. */
export function NotificationSettings() {
  const settings = useQueryPerUser(notificationApi.settings, {});
  const set = useSettingUpdate();
  const hasMail = useSettings().email.enable;
  if (!settings.data) return <ListPlaceholder query={settings} />;
  const cell = 'px-2 py-1 text-center';
  const box = 'size-4.5 accent-bean disabled:opacity-50';
  return (
    <>
      <p className="border-b border-line py-3 text-14 text-ink-2">
        {hasMail ? '未读的消息每天早上汇总成一封邮件寄给您。' : '本站没有启用邮件服务，消息只在站内显示。'}
      </p>
      <table className="w-full text-15">
        <thead>
          <tr className="border-b border-line text-13 text-ink-2">
            <th scope="col" className="py-2 text-left font-normal">
              消息
            </th>
            <th scope="col" className={`${cell} w-16 font-normal`}>
              站内
            </th>
            <th scope="col" className={`${cell} w-16 font-normal`}>
              邮件
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {settings.data.setting.map((each) => (
            <tr key={each.kind}>
              <th scope="row" className="py-3 text-left font-normal">
                {each.title}
              </th>
              <td className={cell}>
                <input
                  type="checkbox"
                  aria-label={`${each.title}：站内`}
                  className={box}
                  checked={each.site}
                  onChange={(event) => set(each, { site: event.target.checked })}
                />
              </td>
              <td className={cell}>
                <input
                  type="checkbox"
                  aria-label={`${each.title}：邮件`}
                  className={box}
                  checked={each.site && each.mail}
                  disabled={!each.site || !hasMail}
                  onChange={(event) => set(each, { mail: event.target.checked })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
