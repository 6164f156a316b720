import { myPermissionsApi } from '#modules/account/permission.contract.ts';
import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { listMyPermissions } from './authenticate.ts';
import { banAccounts } from './ban-accounts.ts';
import { createAccount } from './create-account.ts';
import { createRole } from './create-role.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { deleteRoles } from './delete-roles.ts';
import { accountExport, permissionExport, roleExport } from './export-accounts-and-roles.ts';
import { grantPermissions } from './grant-permissions.ts';
import { assertMayUpload, listAccounts } from './list-accounts.ts';
import { accountApi } from './manage-accounts.contract.ts';
import { getPermission, listPermissions, updatePermission } from './permission.ts';
import { permissionApi, roleApi } from './role.contract.ts';
import { getRole, getRolePermissions, listRoles } from './role.ts';
import { updateAccount } from './update-account.ts';
import { updateRole } from './update-role.ts';

export const roleRoutes = [
  route(myPermissionsApi.mine, listMyPermissions),
  route(roleApi.list, listRoles),
  csvExportRoute(roleApi.list, listRoles, roleExport),
  route(roleApi.get, getRole),
  route(roleApi.create, createRole),
  route(roleApi.update, updateRole),
  route(roleApi.remove, deleteRoles),
  route(roleApi.permissions, getRolePermissions),
  route(roleApi.grant, grantPermissions),
  route(permissionApi.list, listPermissions),
  csvExportRoute(permissionApi.list, listPermissions, permissionExport),
  route(permissionApi.get, getPermission),
  route(permissionApi.update, updatePermission),
  route(accountApi.list, listAccounts),
  csvExportRoute(accountApi.list, listAccounts, accountExport),
  route(accountApi.add, createAccount),
  route(accountApi.set, updateAccount),
  route(accountApi.ban, banAccounts),
  route(accountApi.remove, deleteAccounts),
  route(accountApi.canUpload, assertMayUpload),
];
