import { can, type UserContext } from '#platform/server/context.ts';
import { diagnoseSite } from './diagnose-site.ts';

/** What `douku doctor` tells as well, for those who may see it. */
export async function listEnvironment(ctx: UserContext) {
  if (!can(ctx, 'ConfigAPI/GetEnvs')) return { envs: [] };
  const checked_at = ctx.now().toISOString();
  const findings = await diagnoseSite(ctx);
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
