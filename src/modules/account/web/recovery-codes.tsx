import { Copy, Download } from 'lucide-react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { copyToClipboard, downloadTextFile } from '#platform/web/copy-or-download-text.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';

/** The codes are shown only once. A user without the phone logs in with one of them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { sitename } = useSettings().system;
  const text = codes.join('\n');
  const copy = async () => {
    if (await copyToClipboard(text)) toast.success('已复制');
    else toast.failure(null, '无法复制，请手工选择后复制');
  };
  return (
    <>
      <p className="text-14 text-ink-2">
        手机不在身边时，可以用恢复码登录，每个只能用一次。它们只显示这一次，请保存在安全的地方。
      </p>
      <ol
        aria-label="恢复码"
        className="my-4 grid grid-cols-2 gap-x-4 gap-y-1 rounded-md bg-sunken p-4 font-mono text-14 select-text"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={copy}>
          <Copy aria-hidden="true" className="size-4" />
          复制
        </Button>
        <Button
          variant="outline"
          onClick={() => downloadTextFile(`${sitename}-恢复码.txt`, `${sitename} 两步验证恢复码\n\n${text}\n`)}
        >
          <Download aria-hidden="true" className="size-4" />
          下载
        </Button>
        <Button className="ml-auto" onClick={onDone}>
          我已保存
        </Button>
      </div>
    </>
  );
}
