import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Field, TextArea } from '#platform/web/ui/field.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { Select } from '#platform/web/ui/select.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { useForm } from '#platform/web/use-form.ts';
import { type Document, documentApi, documentStatus, documentVisibilities } from '../document.contract.ts';
import { CategorySelect } from './category-select.tsx';
import { validatePrice } from './validate-price.ts';

const visibilities = Object.entries(documentVisibilities).map(([value, label]) => ({
  value,
  label,
}));

const rules = {
  title: ({ title }: { title: string }) => (title.trim() ? '' : '请输入文档名称'),
  category: ({ category }: { category: string }) => (category ? '' : '请选择文档分类'),
  price: ({ price }: { price: string }) => validatePrice(price),
};

const editableFields = ({ title, price, keywords, description, visibility }: Document) => ({
  title,
  price: String(price),
  keywords,
  description,
  visibility: String(visibility),
});

/** Edit form for the owner. */
export function EditDocumentDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const update = useAction(documentApi.update, {
    success: '更新成功',
    failure: '更新失败',
    invalidates: [documentApi.list],
  });
  const { credit_name } = useSettings().system;
  const initialCategory = String(document.category_id.at(-1) ?? '');
  const { values, pending, bind, set, submit } = useForm({
    initial: { ...editableFields(document), category: initialCategory },
    rules,
    send: async ({ category, price, visibility, ...textFields }) => {
      const isUpdated = await update.run({
        ...textFields,
        id: document.id,
        price: Number(price),
        visibility: Number(visibility),
        category_id: category === initialCategory ? undefined : [Number(category)],
      });
      if (isUpdated) onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="编辑文档" disablePointerDismissal>
      <form onSubmit={submit} noValidate>
        {document.status === documentStatus.refused ? (
          <div className="mb-4">
            <Notice tone="warning">审核没有通过：{document.reject_reason}。修改后会重新提交审核。</Notice>
          </div>
        ) : null}
        <Field label="名称" maxLength={255} {...bind('title')} />
        <CategorySelect
          value={Number(values.category)}
          onChange={(id) => set({ category: id ? String(id) : '' })}
          error={bind('category').error}
        />
        <div className="grid gap-x-4 md:grid-cols-2">
          <Field
            label={`价格（${credit_name || '豆'}）`}
            inputMode="numeric"
            maxLength={7}
            hint="0 为免费"
            {...bind('price')}
          />
          <Select label="可见范围" options={visibilities} {...bind('visibility')} />
        </div>
        <Field label="关键字" maxLength={255} hint="多个词以逗号分隔，留空则取自名称" {...bind('keywords')} />
        <TextArea label="摘要" rows={4} maxLength={512} {...bind('description')} />
        <Button type="submit" className="mt-2 w-full" pending={pending}>
          保存
        </Button>
      </form>
    </Dialog>
  );
}
