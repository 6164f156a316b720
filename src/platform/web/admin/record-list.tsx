import type { TableProps } from 'antd';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { updatedColumn } from './cells.tsx';
import { DataTable, type ListResult } from './data-table.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import type { ListState } from './list-state.ts';
import { ActionButton } from './permission.tsx';
import { actionsColumn, type RowAction } from './row-actions.tsx';
import { type RemoveEndpoint, useRemoval } from './use-removal.tsx';

type Row = { id: number; updated_at: string };

type Props<T extends Row> = {
  /** What a row is, as the buttons and questions say it: 横幅, counted in 张. */
  noun: string;
  measure: string;
  nameOf: (row: T) => string | number;
  result: ListResult;
  rows: T[] | undefined;
  list: ListState;
  /** A list that is had whole has no pages. */
  whole?: boolean;
  filters?: Filter[];
  /** Between them and the actions stands when a row was last changed. */
  columns: NonNullable<TableProps<T>['columns']>;
  expandable?: TableProps<T>['expandable'];
  emptyText: string;
  create: Endpoint;
  update: Endpoint;
  remove: RemoveEndpoint;
  invalidates: Endpoint;
  /** What else a deletion does, as a sentence. */
  warning?: string | ((ids: number[]) => string);
  onAdd: () => void;
  onEdit: (row: T) => void;
  /** Before 编辑 and 删除. */
  moreActions?: (row: T) => RowAction[];
};

/** Records that are added, edited and removed: filters and actions above, the table below. */
export function RecordList<T extends Row>(props: Props<T>) {
  const { noun, nameOf, result, list, onEdit, moreActions, filters = [] } = props;
  const isNarrowed = ['wd', ...filters.map(({ name }) => name)].some((name) => list.filters[name]);
  const removal = useRemoval({ ...props, invalidates: [props.invalidates] });
  const actions = (row: T): RowAction[] => [
    ...(moreActions?.(row) ?? []),
    { label: '编辑', calls: [props.update], onClick: () => onEdit(row) },
    {
      label: '删除',
      calls: [props.remove],
      danger: true,
      onClick: () => removal.ask([row.id], `${noun}“${nameOf(row)}”`),
    },
  ];

  return (
    <>
      <FilterBar list={list} filters={filters}>
        {removal.button}
        <ActionButton type="primary" calls={[props.create]} onClick={props.onAdd}>
          新增{noun}
        </ActionButton>
      </FilterBar>
      <DataTable<T>
        rows={props.rows}
        result={result}
        list={list}
        whole={props.whole}
        selection={removal.selection}
        emptyText={isNarrowed ? `没有符合条件的${noun}` : props.emptyText}
        expandable={props.expandable}
        columns={[...props.columns, updatedColumn, actionsColumn(moreActions ? 4 : 2, actions, { nameOf })]}
      />
    </>
  );
}
