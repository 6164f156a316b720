import { useState } from 'react';
import { useUser } from '#modules/access/web/session.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { MAX_PRICE } from '../../document.contract.ts';
import { CategorySelect } from './category-select.tsx';
import { DropZone } from './drop-zone.tsx';
import { sortFiles, totalProgress } from './upload-list.ts';
import { UploadRow } from './upload-row.tsx';
import { useUploads } from './use-uploads.ts';

const SUPPORTED =
  '.pdf,.doc,.docx,.rtf,.wps,.odt,.dot,.ppt,.pptx,.pps,.ppsx,.dps,.odp,.pot,.xls,.xlsx,.et,.ods,.csv,.tsv,.txt,.epub,.mobi,.chm,.umd';

/** The whole upload: where to, for how much, which files, and how far each is. */
export function UploadPanel() {
  const user = useUser();
  const { security, system } = useSettings();
  const uploads = useUploads(user?.id ?? 0);
  const [defaultPrice, setDefaultPrice] = useState(0);
  const [problem, setProblem] = useState('');
  const [refused, setRefused] = useState<string[]>([]);
  const { items, categoryId, isBusy } = uploads;
  const allowed = security.document_allowed_ext;
  const open = items.filter(({ state }) => state !== 'done');

  const add = (files: File[]) => {
    const sorted = sortFiles(files, items, { maxMegabytes: security.max_document_size, allowed });
    uploads.add(sorted.taken, defaultPrice);
    setRefused(sorted.refused);
  };
  const submit = () => {
    if (categoryId === 0) return setProblem('请选择文档分类');
    if (open.length === 0) return toast.info('请先选择要上传的文档');
    const untitled = open.find(({ title }) => title.trim() === '');
    if (untitled) return toast.failure(new Error(`请输入 ${untitled.file.name} 的标题`), '');
    setProblem('');
    uploads.submit();
  };

  return (
    <div className="grid gap-6">
      {items.length > 0 ? <Total items={items} /> : null}
      <section className="card grid gap-x-6 p-5 md:grid-cols-2 md:p-6">
        <CategorySelect
          value={categoryId}
          onChange={(id) => {
            uploads.setCategoryId(id);
            setProblem('');
          }}
          error={problem}
          hint="上级分类会一并选中"
        />
        <Field
          label={`默认售价（${system.credit_name}）`}
          type="number"
          min={0}
          max={MAX_PRICE}
          value={defaultPrice}
          onChange={({ currentTarget }) =>
            setDefaultPrice(
              Math.max(0, Math.min(MAX_PRICE, Math.round(currentTarget.valueAsNumber) || 0)),
            )
          }
          hint="0 为免费，之后加入的文件使用此价格"
        />
      </section>
      <DropZone
        accept={allowed.length > 0 ? allowed.join(',') : SUPPORTED}
        isSmall={items.length > 0}
        onFiles={add}
      />
      <Notice tone="warning">{refused.join('\n')}</Notice>
      {items.length > 0 ? (
        <section aria-label="上传列表" className="card">
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <UploadRow key={item.key} item={item} uploads={uploads} />
            ))}
          </ul>
        </section>
      ) : null}
      <div className="flex flex-wrap items-center gap-4">
        <Button size="lg" onClick={submit} pending={isBusy} disabled={open.length === 0}>
          {isBusy ? '文档上传中' : '确定上传'}
        </Button>
        {isBusy ? (
          <p className="text-13 text-ink-2">可以离开电脑，网络中断或刷新后会从中断处继续</p>
        ) : null}
      </div>
    </div>
  );
}

function Total({ items }: { items: Parameters<typeof totalProgress>[0] }) {
  const percent = Math.round(totalProgress(items) * 100);
  const done = items.filter(({ state }) => state === 'done').length;
  return (
    <div className="flex items-center gap-4 text-13 text-ink-2">
      <div
        role="progressbar"
        aria-label="总进度"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 grow overflow-hidden rounded-full bg-sunken"
      >
        <div
          className="h-full rounded-full bg-bean transition-[width]"
          style={{ width: `${percent}%` }}
        />
      </div>
      <span className="shrink-0 tabular-nums">{`已完成 ${done} / ${items.length}，共 ${percent}%`}</span>
    </div>
  );
}
