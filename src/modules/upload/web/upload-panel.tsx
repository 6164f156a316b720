import { useRef, useState } from 'react';
import { useUser } from '#modules/account/web/session.ts';
import { CategorySelect } from '#modules/document/web/category-select.tsx';
import { priceProblem } from '#modules/document/web/price-problem.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { DropZone } from './drop-zone.tsx';
import { isToSend, rowProblem, sortFiles, type UploadItem } from './upload-list.ts';
import { Total, UploadTable } from './upload-table.tsx';
import { useUploads } from './use-uploads.ts';

/** The whole upload: where to, for how much, which files, and how far each is. */
export function UploadPanel() {
  const user = useUser();
  const { security, system } = useSettings();
  const uploads = useUploads(user?.id ?? 0);
  const [defaultPrice, setDefaultPrice] = useState({ typed: '0', valid: '0' });
  const categoryField = useRef<HTMLSelectElement>(null);
  const list = useRef<HTMLElement>(null);
  const [problem, setProblem] = useState('');
  const [refused, setRefused] = useState<string[]>([]);
  const { items, categoryId, isBusy } = uploads;
  const allowed = security.document_allowed_ext;
  const open = items.filter(isToSend);
  const priceWrong = priceProblem(defaultPrice.typed);

  const add = (files: File[], problems: string[] = []) => {
    const sorted = sortFiles(files, items, { maxMegabytes: security.max_document_size, allowed });
    uploads.add(sorted.taken, defaultPrice.valid);
    setRefused([...sorted.refused, ...problems]);
  };
  /** Whether these can be sent; otherwise says why not and leads to the field in question. */
  const areComplete = (rows: UploadItem[]): boolean => {
    if (categoryId === 0) {
      setProblem('请选择文档分类');
      return complain('请选择文档分类', categoryField.current);
    }
    const wrong = rows.find((row) => rowProblem(row));
    if (!wrong) return true;
    const row = list.current?.querySelectorAll('li')[items.indexOf(wrong)];
    const field = row?.querySelector<HTMLElement>('[aria-invalid=true]');
    return complain(`${wrong.name}：${rowProblem(wrong)}`, field);
  };
  const submit = () => {
    if (areComplete(open)) uploads.submit();
  };
  const retry = (item: UploadItem) => {
    if (areComplete([item])) uploads.retry(item.key);
  };

  return (
    <div className="grid gap-6">
      {items.length > 0 ? <Total items={items} /> : null}
      <section className="card grid gap-x-6 p-5 md:grid-cols-2 md:p-6">
        <CategorySelect
          ref={categoryField}
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
          inputMode="numeric"
          autoComplete="off"
          value={defaultPrice.typed}
          onChange={({ currentTarget }) => {
            const typed = currentTarget.value.trim();
            setDefaultPrice(({ valid }) => ({
              typed,
              valid: priceProblem(typed) ? valid : String(Number(typed)),
            }));
          }}
          error={priceWrong && `${priceWrong}，目前仍按 ${defaultPrice.valid} 计`}
          hint="0 为免费，之后加入的文件使用此价格"
        />
      </section>
      <DropZone accept={allowed.join(',')} isSmall={items.length > 0} onFiles={add} />
      <Notice tone="warning">{refused.join('\n')}</Notice>
      {items.length > 0 ? (
        <UploadTable ref={list} uploads={uploads} creditName={system.credit_name} onRetry={retry} />
      ) : null}
      <div className="flex flex-wrap items-center gap-4">
        <Button size="lg" onClick={submit} pending={isBusy} disabled={open.length === 0}>
          {isBusy ? '文档上传中' : '确定上传'}
        </Button>
        {items.some(({ state }) => state === 'done') ? (
          <Button size="lg" variant="quiet" onClick={uploads.removeDone}>
            清除已完成
          </Button>
        ) : null}
        {isBusy ? <p className="text-13 text-ink-2">可以离开电脑，网络中断或刷新后会从中断处继续</p> : null}
      </div>
    </div>
  );
}

/** Where the field is out of sight, the words come to where one looks. */
function complain(words: string, field: HTMLElement | null | undefined): false {
  toast.failure(new Error(words), '');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
  return false;
}
