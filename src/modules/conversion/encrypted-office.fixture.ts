import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** LibreOffice ignores Basic libraries without a document type. */
const basicLibraryHeader = (root: string, dtd: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE ${root} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "${dtd}.dtd">`;
const MODULE = 'xmlns:script="http://openoffice.org/2000/script" script:language="StarBasic"';
const LIBRARY = 'xmlns:library="http://openoffice.org/2000/library"';

/** The PDF filter reads the password from the filter data. */
const saveWithPasswordMacro = (source: string, target: string, filter: string, password: string) => `
Sub Main
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden" : hidden(0).Value = True
  document = StarDesktop.loadComponentFromURL("${pathToFileURL(source)}", "_blank", 0, hidden())
  Dim pdf(1) As New com.sun.star.beans.PropertyValue
  pdf(0).Name = "EncryptFile" : pdf(0).Value = True
  pdf(1).Name = "DocumentOpenPassword" : pdf(1).Value = "${password}"
  Dim options(2) As New com.sun.star.beans.PropertyValue
  options(0).Name = "FilterName" : options(0).Value = "${filter}"
  options(1).Name = "Password" : options(1).Value = "${password}"
  options(2).Name = "FilterData" : options(2).Value = pdf()
  document.storeToURL("${pathToFileURL(target)}", options())
  document.close(True)
End Sub
`;

/** Saves a text with a password in LibreOffice, with one of its filters. */
export async function makeEncryptedWithLibreOffice(
  text: string,
  filter: 'MS Word 97' | 'writer8' | 'writer_pdf_Export',
  password: string,
): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-encrypt-'));
  const [source, target] = [path.join(folder, 'source.txt'), path.join(folder, 'target')];
  const basic = path.join(folder, 'profile/user/basic/Standard');
  try {
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`;
    const run = (argument: string) => promisify(execFile)('soffice', [profile, '--headless', '--norestore', argument]);
    // The first start creates the profile and replaces its Basic libraries.
    await run('--terminate_after_init');
    await writeFile(source, text);
    await writeFile(
      path.join(basic, 'script.xlb'),
      `${basicLibraryHeader('library:library', 'library')}<library:library ${LIBRARY} library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
    );
    await writeFile(
      path.join(basic, 'Module1.xba'),
      `${basicLibraryHeader('script:module', 'module')}<script:module ${MODULE} script:name="Module1">${saveWithPasswordMacro(source, target, filter, password)}</script:module>`,
    );
    await run('macro:///Standard.Module1.Main');
    return await readFile(target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
