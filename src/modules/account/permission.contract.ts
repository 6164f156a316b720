import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, time } from '#platform/contract/shapes.ts';

export const permission = z.object({
  id: count,
  /** GRPC for service methods of moredoc, else the HTTP method. */
  method: z.string(),
  path: z.string(),
  title: z.string(),
  description: z.string(),
  created_at: time,
  updated_at: time,
});
export type Permission = z.infer<typeof permission>;

export const myPermissionsApi = {
  /** Permissions of the caller; they decide which pages of the back-office open. */
  mine: endpoint({
    method: 'GET',
    path: '/user/permission',
    access: 'user',
    summary: '当前用户的权限',
    input: emptyObject,
    output: z.object({ permission: z.array(permission) }),
  }),
};
