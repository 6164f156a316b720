import { hasPermission, type UserContext } from '#platform/server/context.ts';
import { diagnoseSite } from './diagnose-site.ts';

/** The findings of `douku doctor`; an empty list for callers without the permission. */
export async function listEnvironment(ctx: UserContext) {
  if (!hasPermission(ctx, 'ConfigAPI/GetEnvs')) return { envs: [] };
  const checked_at = ctx.now().toISOString();
  const findings = await diagnoseSite(ctx);
  return {
    envs: findings.map(({ name, state, detail, impact, remedy, required }) => ({
      name,
      state,
      detail,
      description: impact,
      cmd: remedy,
      is_installed: state === 'ok',
      is_required: required,
      error: state === 'ok' ? '' : detail,
      checked_at,
    })),
  };
}
