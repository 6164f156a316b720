import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { nothing, time } from '#platform/contract/shapes.ts';

export const checkState = z.enum(['ok', 'hint', 'bad']);
export type CheckState = z.infer<typeof checkState>;

/** Something the site stands on: a program, a service, a setting of the operator. */
export const environmentItem = z.object({
  name: z.string(),
  /** `hint` is worth knowing, `bad` needs somebody. */
  state: checkState,
  /** How it is just now. */
  detail: z.string(),
  /** What does not work without it. */
  description: z.string(),
  /** What would mend it. */
  cmd: z.string(),
  is_installed: z.boolean(),
  is_required: z.boolean(),
  error: z.string(),
  checked_at: time,
});
export type EnvironmentItem = z.infer<typeof environmentItem>;

export const dashboardApi = {
  envs: endpoint({
    method: 'GET',
    path: '/envs',
    access: 'user',
    summary: '运行环境检测；没有权限时列表为空',
    input: nothing,
    output: z.object({ envs: z.array(environmentItem) }),
  }),
};
