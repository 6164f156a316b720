import { Button, Input, Select } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import type { ListState } from './list-state.ts';

export type Filter = {
  name: string;
  label: string;
  options: { value: string; label: string }[];
};

type Props = {
  list: ListState;
  filters?: Filter[];
  /** Main actions of the screen, at the right. */
  children?: ReactNode;
};

/** One row above a list: keyword, choices, then the actions. It wraps on narrow screens. */
export function FilterBar({ list, filters = [], children }: Props) {
  const [wd, setWd] = useState(list.filters.wd?.[0] ?? '');
  useEffect(() => setWd(list.filters.wd?.[0] ?? ''), [list.filters]);
  const search = () => list.change({ filters: { ...list.filters, wd: [wd.trim()] } });

  return (
    <search className="admin-filters">
      <Input
        aria-label="关键字"
        placeholder="关键字"
        allowClear
        value={wd}
        onChange={(event) => setWd(event.target.value)}
        onPressEnter={search}
        onClear={() => list.change({ filters: { ...list.filters, wd: [] } })}
        style={{ width: 220 }}
      />
      {filters.map(({ name, label, options }) => (
        <Select
          key={name}
          aria-label={label}
          placeholder={label}
          allowClear
          options={options}
          value={list.filters[name]?.[0]}
          onChange={(value?: string) =>
            list.change({ filters: { ...list.filters, [name]: value ? [value] : [] } })
          }
          style={{ minWidth: 130 }}
        />
      ))}
      <Button onClick={search}>查询</Button>
      <div className="admin-filters-actions">{children}</div>
    </search>
  );
}
