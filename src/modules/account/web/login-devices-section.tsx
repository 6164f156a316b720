import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { ConfirmDialog } from '#platform/web/ui/confirm-dialog.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Device, sessionApi } from '../session.contract.ts';
import { describeUserAgent, isHandheld } from './describe-user-agent.ts';
import { clearSession } from './session-store.ts';
import { useQueryPerUser } from './use-query-per-user.ts';

export function DeviceSection() {
  const devices = useQueryPerUser(sessionApi.list, {});
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <section aria-labelledby="devices" className="card p-5 md:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="devices" className="font-serif text-18 font-bold">
            登录设备
          </h2>
          <p className="text-13 text-ink-2">发现不认识的设备时，请让它退出，并修改密码。</p>
        </div>
        <Button variant="danger" onClick={() => setIsConfirming(true)}>
          退出全部设备
        </Button>
      </div>
      {devices.data ? (
        <ul className="mt-3 divide-y divide-line">
          {devices.data.session.map((device) => (
            <DeviceRow key={device.id} {...device} />
          ))}
        </ul>
      ) : (
        <ListPlaceholder query={devices} rows={2} />
      )}
      {isConfirming ? <LogoutAllDevicesDialog onClose={() => setIsConfirming(false)} /> : null}
    </section>
  );
}

function DeviceRow({ id, ip, user_agent, current, created_at, last_seen_at }: Device) {
  const { timezone } = useSettings().system;
  const end = useAction(sessionApi.end, { success: '该设备已退出登录', invalidates: [sessionApi.list] });
  const Icon = isHandheld(user_agent) ? Smartphone : Laptop;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {describeUserAgent(user_agent)}
          {current ? (
            <span className="rounded-sm bg-bean-soft px-2 text-12 font-normal text-bean">当前设备</span>
          ) : null}
        </p>
        <p className="text-13 text-ink-2">
          {[ip, `登录于 ${formatDateTime(created_at, timezone)}`].filter(Boolean).join(' · ')}
          {current ? null : ` · ${relativeTime(last_seen_at)}使用过`}
        </p>
      </div>
      {current ? null : (
        <Button variant="outline" pending={end.isPending} onClick={() => end.run({ id: [id] })}>
          退出该设备
        </Button>
      )}
    </li>
  );
}

function LogoutAllDevicesDialog({ onClose }: { onClose: () => void }) {
  const endAll = useAction(sessionApi.endAll, { success: '已退出全部设备，请重新登录', onDone: clearSession });
  return (
    <ConfirmDialog title="退出全部设备" action="确定退出" onConfirm={() => endAll.run({})} onClose={onClose}>
      <p className="text-14 text-ink-2">所有设备上的登录都会立即失效，包括您现在使用的这一台。之后需要重新登录。</p>
    </ConfirmDialog>
  );
}
