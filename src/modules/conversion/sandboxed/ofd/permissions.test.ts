import { expect, test } from 'vitest';
import { makeOfd } from '../../ofd.fixture.ts';
import { readRestrictions } from '../pdf-metadata.ts';
import { openConvertedOfd } from './converted-ofd.fixture.ts';

const restrictionsOf = async (permissions: string) =>
  readRestrictions((await openConvertedOfd(makeOfd({ documentTail: permissions }))).pdf);
const permissionsWith = (elements: string) => `<ofd:Permissions>${elements}</ofd:Permissions>`;

test.each([
  ['a document without permissions', '', { copying: false, printing: false }],
  [
    'permissions that allow everything',
    permissionsWith('<ofd:Export>true</ofd:Export><ofd:Print Printable="true" Copies="-1"/>'),
    { copying: false, printing: false },
  ],
  [
    'printing that is not permitted',
    permissionsWith('<ofd:Print Printable="false"/>'),
    { copying: false, printing: true },
  ],
  [
    'export that is not permitted',
    permissionsWith('<ofd:Export>false</ofd:Export>'),
    { copying: true, printing: false },
  ],
  [
    'a period of validity',
    permissionsWith('<ofd:ValidPeriod StartDate="2026-01-01T08:00:00" EndDate="2026-06-30"/>'),
    {
      copying: false,
      printing: false,
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: '2026-06-30T15:59:59.000Z',
    },
  ],
  [
    'a period with unreadable dates',
    permissionsWith('<ofd:ValidPeriod StartDate="soon" EndDate="2026-99-99"/>'),
    { copying: false, printing: false },
  ],
])('%s becomes restrictions of the PDF', async (_, permissions, restrictions) => {
  expect(await restrictionsOf(permissions)).toEqual(restrictions);
});
