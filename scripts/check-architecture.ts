import { cruise } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** A resolver that finds nothing would approve of everything; so it must find about what there is. */
const MIN_MODULES = 800;

const config = await extractConfig('./.dependency-cruiser.cjs');
const { options = {}, ...ruleSet } = config;
const { output } = await cruise(
  ['src'],
  { ...options, ruleSet, validate: true },
  {},
  { tsConfig: extractTsConfig('./tsconfig.web.json') },
);
if (typeof output === 'string') throw new Error('dependency-cruiser gave no summary');
const { summary, modules } = output;
const own = modules.filter(({ source }) => source.startsWith('src/'));
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} → ${to}`);
if (own.length < MIN_MODULES) console.error(`only ${own.length} modules were found, at least ${MIN_MODULES} expected`);
console.log(`${own.length} modules, ${summary.violations.length} violations`);
process.exitCode = summary.error > 0 || own.length < MIN_MODULES ? 1 : 0;
