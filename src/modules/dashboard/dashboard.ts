import { can, type UserContext } from '#platform/server/context.ts';
import { listPrograms } from '#platform/server/programs.ts';

/** Programs the running site uses, for those who may see them. */
export async function listEnvironment(ctx: UserContext) {
  if (!can(ctx, 'ConfigAPI/GetEnvs')) return { envs: [] };
  const programs = (await listPrograms()).filter(({ use }) => use === 'runtime');
  const checked_at = ctx.now().toISOString();
  return {
    envs: programs.map(({ name, purpose, isInstalled, required, package: debian }) => ({
      name,
      description: purpose,
      cmd: debian,
      is_installed: isInstalled,
      is_required: required,
      error: isInstalled ? '' : `没有找到，请安装 Debian 软件包 ${debian}`,
      checked_at,
    })),
  };
}
