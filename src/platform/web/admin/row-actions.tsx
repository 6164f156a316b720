import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps, Space } from 'antd';
import type { ReactNode } from 'react';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { useDevice } from '../device.ts';
import { callsAttribute, type MayCall, useMayCall } from './permission.tsx';

export type RowAction = {
  label: string;
  /** Endpoints that it calls; it is hidden unless the user may call all of them. */
  calls: readonly Endpoint[];
  onClick: () => void;
  danger?: boolean;
  disabled?: boolean;
};

type Options<T> = {
  /** Name of a row for the accessible label of its menu. */
  nameOf: (row: T) => string | number;
  /** Rare actions, shown in a menu at any width. */
  more?: (row: T) => RowAction[];
};

const MOBILE_COLUMN_WIDTH_PX = 64;
/** Width of a button with two Chinese characters. */
const BUTTON_WIDTH_PX = 44;
const CELL_PADDING_PX = 24;

/** Fixed column at the right with the actions of a row: as `buttonCount` buttons, on a phone in one menu. */
export const actionsColumn = <T,>(buttonCount: number, actions: (row: T) => RowAction[], options: Options<T>) => ({
  title: '操作',
  key: 'actions',
  fixed: 'right' as const,
  width: buttonCount * BUTTON_WIDTH_PX + CELL_PADDING_PX,
  hasActions: (row: T, mayCall: MayCall) =>
    [...actions(row), ...(options.more?.(row) ?? [])].some(({ calls }) => calls.every(mayCall)),
  render: (_: unknown, row: T) => (
    <RowActions actions={actions(row)} more={options.more?.(row) ?? []} name={String(options.nameOf(row))} />
  ),
});

type ActionsColumn<T> = { hasActions?: (row: T, mayCall: MayCall) => boolean };

/** False for a column of actions when the user may not use any of them. */
export const isColumnNeeded = <T,>(column: object, rows: readonly T[], mayCall: MayCall): boolean => {
  const { hasActions } = column as ActionsColumn<T>;
  return !hasActions || rows.length === 0 || rows.some((row) => hasActions(row, mayCall));
};

/** Narrows the actions column for phones. */
export const narrowActionsColumn = <C extends { key?: unknown }>(column: C): C =>
  column.key === 'actions' ? { ...column, width: MOBILE_COLUMN_WIDTH_PX } : column;

type Props = { actions: RowAction[]; more: RowAction[]; name: string };

function RowActions({ name, ...actionsByPlace }: Props) {
  const mayCall = useMayCall();
  const allowedActions = (rowActions: RowAction[]) => rowActions.filter(({ calls }) => calls.every(mayCall));
  const [actions, menuActions] = [allowedActions(actionsByPlace.actions), allowedActions(actionsByPlace.more)];
  const isMobile = useDevice((device) => device.isMobile);
  const allActions = [...actions, ...menuActions];
  if (isMobile && allActions.length > 1)
    return (
      <ActionMenu actions={allActions} name={name}>
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
      {menuActions.length > 0 && (
        <ActionMenu actions={menuActions} name={name}>
          更多
        </ActionMenu>
      )}
    </Space>
  );
}

const menuItemsOf = (actions: RowAction[]): MenuProps['items'] =>
  actions.map(({ calls, ...action }) => ({
    ...action,
    ...callsAttribute(calls),
    key: action.label,
  }));

const ActionMenu = (props: { actions: RowAction[]; name: string; children: ReactNode }) => (
  <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: menuItemsOf(props.actions) }}>
    <Button type="link" size="small" aria-label={`${props.name} 的更多操作`}>
      {props.children}
    </Button>
  </Dropdown>
);
