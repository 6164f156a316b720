/** The architecture as rules: app → modules → platform, and modules in one written order. */
const levels = [
  ['text'],
  ['audit'],
  ['settings'],
  ['captcha', 'mail'],
  ['account'],
  ['role'],
  ['attachment', 'credit', 'activity', 'notification'],
  ['category', 'article', 'banner', 'friend-link', 'check-in', 'registration'],
  ['conversion'],
  ['document'],
  ['upload'],
  ['download'],
  ['recognition', 'watermark'],
  ['reading'],
  ['related'],
  ['search'],
  ['favorite'],
  ['rating'],
  ['comment'],
  ['report'],
  ['near-copy'],
  ['follow'],
  ['dashboard', 'statistics', 'sitemap', 'feed'],
];

const upward = levels.flatMap((names, level) => {
  const notBelow = levels.slice(level).flat();
  return names.map((name) => ({
    name: `order-of-${name}`,
    comment: `${name} may import only modules below it in the written order`,
    severity: 'error',
    from: { path: `^src/modules/${name}/`, pathNot: '\\.(test|fixture)\\.tsx?$' },
    to: { path: `^src/modules/(${notBelow.filter((other) => other !== name).join('|')})/` },
  }));
});

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'known-modules-only',
      comment: 'a new module gets its place in the order first',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: `^src/modules/(${levels.flat().join('|')})/` },
      to: {},
    },
    {
      name: 'no-import-cycles',
      comment: 'imports of types count',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-imports-no-module',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(modules|app|testing)/' },
    },
    {
      name: 'app-is-not-imported',
      severity: 'error',
      from: { path: '^src/(modules|platform)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^src/(app|testing)/' },
    },
    {
      name: 'contracts-are-pure',
      comment: 'they run everywhere, so they may need nothing but zod and each other',
      severity: 'error',
      from: { path: '(\\.contract\\.ts$|^src/platform/contract/)', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['\\.contract\\.ts$', '^src/platform/contract/', 'node_modules/zod/'] },
    },
    {
      name: 'web-imports-no-server-file',
      severity: 'error',
      from: { path: '(^src/(app|testing)/web/|^src/modules/[^/]+/web/|^src/platform/web/)' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/(app|testing)/web/',
          '^src/modules/[^/]+/web/',
          '^src/platform/(web|contract)/',
          '\\.contract\\.ts$',
        ],
      },
    },
    {
      name: 'server-imports-no-web-file',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(app|testing)/web/', '^src/modules/[^/]+/web/', '^src/platform/web/'],
      },
      to: { path: '(^src/app/web/|/web/)', pathNot: 'node_modules' },
    },
    {
      name: 'public-web-imports-no-back-office',
      comment: 'antd and the admin screens are loaded under /admin alone',
      severity: 'error',
      from: {
        path: '(^src/app/web/|^src/modules/[^/]+/web/|^src/platform/web/)',
        pathNot: ['^src/app/web/admin/', '/web/admin/'],
      },
      to: {
        path: ['/web/admin/', 'node_modules/(antd|@ant-design|rc-|@rc-component|@tiptap)'],
        pathNot: '^src/app/web/admin/entry\\.tsx$',
      },
    },
    {
      name: 'private-folders',
      comment: 'another module may reach only root files, web/ and web/admin/ root files',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: {
        path: '^src/modules/([^/]+)/.+/',
        pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/web/[^/]+$', '^src/modules/[^/]+/web/admin/[^/]+$'],
      },
    },
    {
      name: 'only-tests-use-testing',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/testing/', '\\.test\\.tsx?$'] },
      to: { path: '^src/testing/' },
    },
    {
      name: 'only-tests-use-fixtures',
      comment: 'fixtures create test data and skip the checks of production code',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/testing/', '\\.(test|fixture|suite)\\.tsx?$'] },
      to: { path: '\\.fixture\\.tsx?$' },
    },
    {
      name: 'server-imports-no-development-package',
      comment: 'the container image has only what package.json names under dependencies',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/(app/web|testing)/',
          '^src/modules/[^/]+/web/',
          '^src/platform/web/',
          '\\.(test|fixture|suite)\\.tsx?$',
          '^src/app/server/dev(-pages)?\\.ts$',
        ],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-loads-no-library-of-workbooks',
      comment: 'it takes 10 MB of every web process; only the sandboxed converter reads workbooks',
      severity: 'error',
      from: { path: '^src/app/server/main\\.ts$' },
      to: { path: 'node_modules/@e965/xlsx', reachable: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.web.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
