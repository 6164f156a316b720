import { Alert, Button, Checkbox, Drawer, Skeleton, Space, Tree } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import type { Permission } from '#modules/account/permission.contract.ts';
import { groupPermissions } from '#modules/account/permission-pages.contract.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useAction } from '#platform/web/use-action.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { permissionApi, type Role, roleApi } from '../../role.contract.ts';

/** The permissions of a role as a tree by service; the checked ones replace the former ones. */
export function GrantPermissionsDrawer({ role, onClose }: { role: Role; onClose: () => void }) {
  const allPermissions = useQueryWithMinimumLoading(endpointQuery(permissionApi.list, {}));
  const rolePermissions = useQueryWithMinimumLoading({
    ...endpointQuery(roleApi.permissions, { id: role.id }),
    gcTime: 0,
  });
  const [checkedIds, setCheckedIds] = useState<number[]>([]);
  useEffect(() => {
    if (rolePermissions.data) setCheckedIds(rolePermissions.data.permission_id);
  }, [rolePermissions.data]);
  const grant = useAction(roleApi.grant, { success: '设置成功', onDone: onClose, invalidates: [roleApi.permissions] });

  const permissions = allPermissions.data?.permission ?? [];
  const isLoaded = allPermissions.data && rolePermissions.data;

  return (
    <Drawer
      title={`授权：${role.title}`}
      open
      onClose={onClose}
      size={520}
      styles={{ wrapper: { maxWidth: '100vw' } }}
      footer={
        <Space style={{ display: 'flex', justifyContent: 'flex-end' }}>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            disabled={!isLoaded}
            loading={grant.isPending}
            onClick={() => grant.run({ group_id: role.id, permission_id: checkedIds })}
          >
            提交
          </Button>
        </Space>
      }
    >
      <Alert type="warning" showIcon title="拥有权限的人可以进入后台，请谨慎授权" style={{ marginBottom: 16 }} />
      {isLoaded ? (
        <PermissionTree permissions={permissions} checkedIds={checkedIds} onChange={setCheckedIds} />
      ) : (
        <Skeleton active paragraph={{ rows: 12 }} />
      )}
    </Drawer>
  );
}

function PermissionTree(props: {
  permissions: Permission[];
  checkedIds: number[];
  onChange: (checkedIds: number[]) => void;
}) {
  const { permissions, checkedIds, onChange } = props;
  const tree = useMemo(
    () =>
      groupPermissions(permissions)
        .filter((group) => group.permissions.length > 0)
        .map((group) => ({
          key: group.service,
          title: group.label,
          children: group.permissions.map(({ id, title }) => ({ key: id, title })),
        })),
    [permissions],
  );
  const allIds = permissions.map(({ id }) => id);
  const isAllChecked = allIds.length > 0 && checkedIds.length === allIds.length;
  return (
    <>
      <Checkbox
        checked={isAllChecked}
        indeterminate={checkedIds.length > 0 && !isAllChecked}
        onChange={(event) => onChange(event.target.checked ? allIds : [])}
      >
        全选
      </Checkbox>
      <Tree
        checkable
        defaultExpandAll
        selectable={false}
        treeData={tree}
        checkedKeys={checkedIds}
        onCheck={(keys) => onChange((keys as (string | number)[]).filter((key) => typeof key === 'number'))}
        style={{ marginTop: 12 }}
      />
    </>
  );
}
