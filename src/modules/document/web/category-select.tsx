import { type Ref, useId } from 'react';
import type { CategoryNode } from '#modules/category/web/indexed-categories.ts';
import { visibleTree } from '#modules/category/web/indexed-categories.ts';
import { useCategories } from '#modules/category/web/use-categories.ts';
import { FieldFrame, inputAttributes } from '#platform/web/ui/field.tsx';

type Option = { id: number; label: string };

const toIndentedOptions = (nodes: CategoryNode[], depth = 0): Option[] =>
  nodes.flatMap(({ id, title, children }) => [
    { id, label: `${'　'.repeat(depth)}${title}` },
    ...toIndentedOptions(children, depth + 1),
  ]);

/** Lists categories of all levels, indented by depth. */
export function CategorySelect({
  value,
  onChange,
  error,
  hint,
  ref,
}: {
  value: number;
  onChange: (id: number) => void;
  error?: string;
  hint?: string;
  ref?: Ref<HTMLSelectElement>;
}) {
  const id = useId();
  const { tree } = useCategories();
  return (
    <FieldFrame id={id} label="文档分类" error={error} hint={hint}>
      <select
        ref={ref}
        {...inputAttributes(id, error)}
        value={value || ''}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
        className="block h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-15 transition-colors hover:border-ink-2 focus:border-bean aria-invalid:border-red"
      >
        <option value="">请选择文档分类</option>
        {toIndentedOptions(visibleTree(tree, false)).map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
