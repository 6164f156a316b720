import { hasPermission, type UserContext } from '#platform/server/context.ts';
import { examineSite } from './diagnose-site.ts';

/** What `douku doctor` tells as well, for those who may see it. */
export async function listEnvironment(ctx: UserContext) {
  if (!hasPermission(ctx, 'ConfigAPI/GetEnvs')) return { envs: [] };
  const checked_at = ctx.now().toISOString();
  const findings = await examineSite(ctx);
  return {
    envs: findings.map(({ name, state, detail, without, remedy, required }) => ({
      name,
      state,
      detail,
      description: without,
      cmd: remedy,
      is_installed: state === 'ok',
      is_required: required,
      error: state === 'ok' ? '' : detail,
      checked_at,
    })),
  };
}
