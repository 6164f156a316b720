import { Command } from 'commander';
import { diagnoseSite } from '#modules/dashboard/diagnose-site.ts';
import { VERSION } from '#platform/server/version.ts';
import { print, withSite } from './with-site.ts';

const STATE_SIGNS = { ok: '✓', hint: '·', bad: '✗' };

function summarizeFindings(findings: { state: keyof typeof STATE_SIGNS }[]): string {
  const count = (countedState: string) => findings.filter(({ state }) => state === countedState).length;
  const [problemCount, hintCount] = [count('bad'), count('hint')];
  if (problemCount + hintCount === 0) return '一切正常';
  const errors = problemCount > 0 ? `有 ${problemCount} 处需要处理` : '没有错误';
  return hintCount > 0 ? `${errors}，${hintCount} 条提示` : errors;
}

export const doctorCommand = new Command('doctor')
  .description('检查运行环境，并说明缺少什么、因此什么不能用')
  .action(() =>
    withSite(
      async ({ ctx, config }) => {
        print(`豆库 ${VERSION}，Node ${process.version}，数据文件夹 ${config.dataDir}`);
        const findings = await diagnoseSite(ctx);
        for (const { name, state, detail, cause, impact, remedy } of findings) {
          print(`${STATE_SIGNS[state]} ${name}：${cause || detail}`);
          if (state !== 'ok') print(`    ${impact}；${remedy}`);
        }
        print(summarizeFindings(findings));
        if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1;
      },
      { migrated: false },
    ),
  );
