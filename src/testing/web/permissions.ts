import type { Permission } from '#modules/account/permission.contract.ts';
import { type Endpoint, permissionForOthers } from '#platform/contract/endpoint.ts';

/** The permissions that these endpoints need, as the server lists them for a user. */
export const permissionsFor = (...endpoints: Endpoint[]): Permission[] =>
  endpoints.map((endpoint, index) => ({
    id: index + 1,
    method: 'GRPC',
    path: `/api.v1.${permissionForOthers(endpoint)}`,
    title: endpoint.summary,
    description: '',
    created_at: '2026-03-01T08:00:00.000Z',
    updated_at: '2026-03-01T08:00:00.000Z',
  }));
