import { useQuery } from '@tanstack/react-query';
import { TreeSelect } from 'antd';
import { useMemo } from 'react';
import { categoryApi } from '#modules/category/category.contract.ts';
import { toCategoryOptions, toCategoryTree } from '#modules/category/web/admin/category-options.ts';
import { endpointQuery } from '#platform/web/api.ts';

type Props = {
  id?: string;
  value?: number;
  onChange?: (id: number | undefined) => void;
  label?: string;
  width?: number;
};

/** Selects one category; its ancestors are included implicitly. */
export function CategoryField({ id, value, onChange, label = '分类', width }: Props) {
  const { data } = useQuery(endpointQuery(categoryApi.list, {}));
  const choices = useMemo(() => toCategoryOptions(toCategoryTree(data?.category ?? [])), [data]);
  return (
    <TreeSelect
      id={id}
      aria-label={label}
      placeholder={label}
      allowClear
      showSearch
      treeNodeFilterProp="title"
      treeData={choices}
      value={value}
      onChange={(next?: number) => onChange?.(next)}
      popupMatchSelectWidth={false}
      style={{ width: width ?? '100%' }}
    />
  );
}
