import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './config.ts';

const packageFile: { version: string } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
);
export const VERSION = packageFile.version;
