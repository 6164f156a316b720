import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { nothing, time } from '#platform/contract/shapes.ts';

/** A program of the operating system that something of the site depends on. */
export const environmentItem = z.object({
  name: z.string(),
  /** What works only with it. */
  description: z.string(),
  /** Debian package that brings it. */
  cmd: z.string(),
  is_installed: z.boolean(),
  is_required: z.boolean(),
  error: z.string(),
  checked_at: time,
});

export const dashboardApi = {
  envs: endpoint({
    method: 'GET',
    path: '/envs',
    access: 'user',
    summary: '环境依赖检测；没有权限时列表为空',
    input: nothing,
    output: z.object({ envs: z.array(environmentItem) }),
  }),
};
