import { Command } from 'commander';
import { examineSite } from '#modules/dashboard/examine-site.ts';
import { VERSION } from '#platform/server/version.ts';
import { print, withSite } from './with-site.ts';

const signs = { ok: '✓', hint: '·', bad: '✗' };

export const doctorCommand = new Command('doctor')
  .description('检查运行环境，并说明缺少什么、因此什么不能用')
  .action(() =>
    withSite(
      async ({ ctx, config }) => {
        print(`豆库 ${VERSION}，Node ${process.version}，数据文件夹 ${config.dataDir}`);
        const findings = await examineSite(ctx);
        for (const { name, state, detail, without, remedy } of findings) {
          print(`${signs[state]} ${name}：${detail}`);
          if (state !== 'ok') print(`    ${without}；${remedy}`);
        }
        const bad = findings.filter(({ state }) => state === 'bad').length;
        print(bad === 0 ? '一切正常' : `有 ${bad} 处需要处理`);
        if (bad > 0) process.exitCode = 1;
      },
      { migrated: false },
    ),
  );
