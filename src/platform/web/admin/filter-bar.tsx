import { Button, Input, Select } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { ExportButton } from './export-button.tsx';
import type { ListState } from './list-state.ts';

export type Filter = {
  name: string;
  label: string;
  options: { value: string; label: string }[];
  /** Allows several values. */
  multiple?: boolean;
};

type Props = {
  list: ListState;
  filters?: Filter[];
  /** Custom filters, shown after the select filters. */
  more?: ReactNode;
  /** Main actions of the screen, shown at the right. */
  children?: ReactNode;
};

/** Row above a list with keyword, filters and actions. It wraps on narrow screens. */
export function FilterBar({ list, filters = [], more, children }: Props) {
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
      />
      {filters.map(({ name, label, options, multiple }) => (
        <Select
          key={name}
          aria-label={label}
          placeholder={label}
          allowClear
          mode={multiple ? 'multiple' : undefined}
          maxTagCount="responsive"
          options={options}
          value={multiple ? list.filters[name] : list.filters[name]?.[0]}
          onChange={(value?: string | string[]) =>
            list.change({ filters: { ...list.filters, [name]: value ? [value].flat() : [] } })
          }
          style={{ minWidth: multiple ? 160 : 130 }}
        />
      ))}
      {more}
      <Button onClick={search}>查询</Button>
      <div className="admin-filters-actions">
        {list.downloadCsv && <ExportButton download={list.downloadCsv} />}
        {children}
      </div>
    </search>
  );
}
