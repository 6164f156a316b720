import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps, Space } from 'antd';
import type { ReactNode } from 'react';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { useDevice } from '../device.ts';
import { callsAttribute, type MayCall, useMayCall } from './permission.tsx';

/** Something that can be done with one row. */
export type RowAction = {
  label: string;
  /** The endpoints that it leads to; it is hidden unless all may be called. */
  calls: readonly Endpoint[];
  onClick: () => void;
  danger?: boolean;
  disabled?: boolean;
};

type Options<T> = {
  /** What a row is called, for those who hear the page. */
  nameOf: (row: T) => string | number;
  /** What is done seldom waits in a menu at any width. */
  more?: (row: T) => RowAction[];
};

const PHONE_WIDTH = 64;
/** A button of two characters, and what stands around them all. */
const BUTTON_WIDTH = 44;
const CELL_PADDING = 24;

/**
 * What can be done with a row stays in sight at the right: as buttons, `fits` of which fit side by
 * side, and on a phone in one menu.
 */
export const actionsColumn = <T,>(fits: number, actions: (row: T) => RowAction[], options: Options<T>) => ({
  title: '操作',
  key: 'actions',
  fixed: 'right' as const,
  width: fits * BUTTON_WIDTH + CELL_PADDING,
  hasActions: (row: T, mayCall: MayCall) =>
    [...actions(row), ...(options.more?.(row) ?? [])].some(({ calls }) => calls.every(mayCall)),
  render: (_: unknown, row: T) => (
    <RowActions actions={actions(row)} more={options.more?.(row) ?? []} name={String(options.nameOf(row))} />
  ),
});

type ActionsColumn<T> = { hasActions?: (row: T, mayCall: MayCall) => boolean };

/** Whether a column has anything to show: a column of actions that the user may not use has not. */
export const isNeeded = <T,>(column: object, rows: readonly T[], mayCall: MayCall): boolean => {
  const { hasActions } = column as ActionsColumn<T>;
  return !hasActions || rows.length === 0 || rows.some((row) => hasActions(row, mayCall));
};

/** The same column on a phone. */
export const onPhone = <C extends { key?: unknown }>(column: C): C =>
  column.key === 'actions' ? { ...column, width: PHONE_WIDTH } : column;

type Props = { actions: RowAction[]; more: RowAction[]; name: string };

function RowActions({ name, ...given }: Props) {
  const mayCall = useMayCall();
  const allowedOf = (all: RowAction[]) => all.filter(({ calls }) => calls.every(mayCall));
  const [actions, more] = [allowedOf(given.actions), allowedOf(given.more)];
  const isMobile = useDevice((device) => device.isMobile);
  const all = [...actions, ...more];
  if (isMobile && all.length > 1)
    return (
      <ActionMenu actions={all} name={name}>
        <EllipsisOutlined style={{ fontSize: 20 }} />
      </ActionMenu>
    );
  return (
    <Space size={0}>
      {actions.map(({ label, calls, ...rest }) => (
        <Button key={label} type="link" size="small" {...callsAttribute(calls)} {...rest}>
          {label}
        </Button>
      ))}
      {more.length > 0 && (
        <ActionMenu actions={more} name={name}>
          更多
        </ActionMenu>
      )}
    </Space>
  );
}

const itemsOf = (actions: RowAction[]): MenuProps['items'] =>
  actions.map(({ calls, ...action }) => ({
    ...action,
    ...callsAttribute(calls),
    key: action.label,
  }));

const ActionMenu = (props: { actions: RowAction[]; name: string; children: ReactNode }) => (
  <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: itemsOf(props.actions) }}>
    <Button type="link" size="small" aria-label={`${props.name} 的更多操作`}>
      {props.children}
    </Button>
  </Dropdown>
);
