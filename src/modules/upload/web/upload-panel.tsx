import { useRef, useState } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { CategorySelect } from '#modules/document/web/category-select.tsx';
import { validatePrice } from '#modules/document/web/validate-price.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { extensionAliasesOf } from '#platform/contract/extension-aliases.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { archiveExtensions, isArchiveName } from '../archive/archive.contract.ts';
import { AcceptedFormats } from './accepted-formats.tsx';
import { ArchiveUploads } from './archive/archive-uploads.tsx';
import { useArchives } from './archive/use-archives.ts';
import { DropZone } from './drop-zone.tsx';
import { listMergeableImages, MergeImages } from './merge-images.tsx';
import { findRowProblem, isBusy, isSubmittable, partitionFiles, type UploadItem } from './upload-item.ts';
import type { NearCopiesOfUpload } from './upload-list-row.tsx';
import { TotalProgress, UploadTable } from './upload-table.tsx';
import { type Uploads, useUploads } from './use-uploads.ts';

/** Upload form with category, price, files and their progress. Files are sent immediately and published by 确定上传. */
export function UploadPanel({ NearCopies }: { NearCopies: NearCopiesOfUpload }) {
  const { security, system } = useSettings();
  const userId = useUser()?.id ?? 0;
  const uploads = useUploads(userId);
  const archives = useArchives(userId);
  const [defaultPrice, setDefaultPrice] = useState('0');
  const categoryField = useRef<HTMLSelectElement>(null);
  const list = useRef<HTMLElement>(null);
  const [problem, setProblem] = useState('');
  const [fileProblems, setFileProblems] = useState<string[]>([]);
  const { items, categoryId } = uploads;
  const allowedExtensions = security.document_allowed_ext;

  const selectCategory = (id: number) => {
    uploads.setCategoryId(id);
    setProblem('');
  };
  const add = (files: File[], problems: string[] = []) => {
    const limits = { maxMegabytes: security.max_document_size, allowedExtensions };
    const isArchive = ({ name }: File) => isArchiveName(name);
    const documents = files.filter((file) => !isArchive(file));
    const { accepted, rejected } = partitionFiles(documents, items, limits);
    const archiveProblems = archives.add(files.filter(isArchive), items);
    uploads.add(accepted, defaultPrice);
    setFileProblems([...rejected, ...archiveProblems, ...problems]);
  };
  /** Returns whether the rows can be sent; otherwise reports the problem and focuses the field. */
  const areComplete = (rows: UploadItem[]): boolean => {
    if (categoryId === 0 && rows.some((row) => row.categoryId === 0)) {
      setProblem('请选择文档分类');
      return reportProblem('请选择文档分类', categoryField.current);
    }
    const invalidRow = rows.find(findRowProblem);
    if (!invalidRow) return true;
    const row = list.current?.querySelectorAll('li')[items.indexOf(invalidRow)];
    const field = row?.querySelector<HTMLElement>('[aria-invalid=true]');
    return reportProblem(`${invalidRow.name}：${findRowProblem(invalidRow)}`, field);
  };
  const submit = () => areComplete(items.filter(isSubmittable)) && uploads.submit();
  const retry = (item: UploadItem) => (!item.isSubmitted || areComplete([item])) && uploads.resume(item.key);

  return (
    <div className="grid gap-6">
      {items.length > 0 ? <TotalProgress items={items} /> : null}
      <section className="card grid gap-x-6 p-5 md:grid-cols-2 md:p-6">
        <CategorySelect
          ref={categoryField}
          value={categoryId}
          onChange={selectCategory}
          error={problem}
          hint="上级分类会一并选中"
        />
        <DefaultPriceField price={defaultPrice} creditName={system.credit_name} onChange={setDefaultPrice} />
      </section>
      <DropZone
        accept={[...allowedExtensions, ...extensionAliasesOf(allowedExtensions), ...archiveExtensions].join(',')}
        isSmall={items.length > 0 || archives.archives.length > 0}
        onFiles={add}
      />
      <AcceptedFormats extensions={allowedExtensions} maxMegabytes={security.max_document_size} />
      <Notice tone="warning">{fileProblems.join('\n')}</Notice>
      <ArchiveUploads archives={archives} items={items} price={defaultPrice} onItems={uploads.addItems} />
      <MergeUploadedImages uploads={uploads} price={defaultPrice} />
      <UploadTable
        ref={list}
        uploads={uploads}
        NearCopies={NearCopies}
        creditName={system.credit_name}
        onRetry={retry}
      />
      <SubmitBar uploads={uploads} onSubmit={submit} />
    </div>
  );
}

function MergeUploadedImages({ uploads, price }: { uploads: Uploads; price: string }) {
  const { document_allowed_ext: allowedExtensions, max_document_size: maxMegabytes } = useSettings().security;
  if (allowedExtensions.length > 0 && !allowedExtensions.includes('.cbz')) return null;
  return (
    <MergeImages
      images={listMergeableImages(uploads.items)}
      maxMegabytes={maxMegabytes}
      onMerge={(file, keys) => {
        uploads.add([file], price);
        for (const key of keys) uploads.remove(key);
      }}
    />
  );
}

/** An invalid price leaves the last valid one in effect. */
function DefaultPriceField(props: { price: string; creditName: string; onChange: (price: string) => void }) {
  const { price, creditName, onChange } = props;
  const [typedPrice, setTypedPrice] = useState(price);
  const problem = validatePrice(typedPrice);
  return (
    <Field
      label={`默认售价（${creditName}）`}
      inputMode="numeric"
      autoComplete="off"
      value={typedPrice}
      onChange={({ currentTarget }) => {
        const newPrice = currentTarget.value.trim();
        setTypedPrice(newPrice);
        if (!validatePrice(newPrice)) onChange(String(Number(newPrice)));
      }}
      error={problem && `${problem}，目前仍按 ${price} 计`}
      hint="0 为免费，之后加入的文件使用此价格"
    />
  );
}

function SubmitBar({ uploads, onSubmit }: { uploads: Uploads; onSubmit: () => void }) {
  const { items, isPublishing } = uploads;
  const hint = isPublishing
    ? '可以离开电脑，网络中断或刷新后会从中断处继续'
    : items.some(isBusy)
      ? '文件正在传送，点“确定上传”之后才会发布'
      : items.some(({ state }) => state === 'sent')
        ? '文件已传完，点“确定上传”发布'
        : '';
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Button size="lg" onClick={onSubmit} pending={isPublishing} disabled={!items.some(isSubmittable)}>
        {isPublishing ? '文档上传中' : '确定上传'}
      </Button>
      {items.some(({ state }) => state === 'done') ? (
        <Button size="lg" variant="quiet" onClick={uploads.removeDone}>
          清除已完成
        </Button>
      ) : null}
      {hint ? <p className="text-13 text-ink-2">{hint}</p> : null}
    </div>
  );
}

/** A toast shows the message, because the field may be out of view. */
function reportProblem(message: string, field: HTMLElement | null | undefined): false {
  toast.failure(new Error(message), '');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
  return false;
}
