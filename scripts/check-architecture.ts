import { readdirSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** A broken resolver would find no modules and therefore no violations. */
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
const sourceModules = modules.filter(({ source }) => source.startsWith('src/'));
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} → ${to}`);
if (sourceModules.length < MIN_MODULES)
  console.error(`only ${sourceModules.length} modules were found, at least ${MIN_MODULES} expected`);
// The rule `known-modules-only` sees only modules that import something.
const moduleFolders = readdirSync('src/modules');
const orderedModules = (ruleSet.forbidden ?? []).flatMap(
  ({ name = '' }) => /^order-of-(.+)$/.exec(name)?.slice(1) ?? [],
);
const differences = [
  ...moduleFolders.filter((name) => !orderedModules.includes(name)).map((name) => `${name} has no level`),
  ...orderedModules.filter((name) => !moduleFolders.includes(name)).map((name) => `${name} has a level, but no folder`),
];
for (const difference of differences) console.error(`.dependency-cruiser.cjs: ${difference}`);
console.log(`${sourceModules.length} modules, ${summary.violations.length} violations`);
process.exitCode = summary.error > 0 || differences.length > 0 || sourceModules.length < MIN_MODULES ? 1 : 0;
