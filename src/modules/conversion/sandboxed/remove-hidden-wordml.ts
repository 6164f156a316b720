import { readFileSync, writeFileSync } from 'node:fs';
import { Parser } from 'htmlparser2';
import { decodeMarkup } from '../detect/markup-encoding.ts';
import { findAttributeValue, localName } from './xml-elements.ts';

/** Output of a task in the work folder. */
const OUTPUT_NAME = 'final.xml';
const DROPPED_ANNOTATIONS = /^Word\.(?:Deletion|Comment|Formatting|\w+Formatting|Numbering)/;
const OFF = /^(?:off|0|false)$/;

const openingTag = (name: string, attributes: Record<string, string>) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('')}>`;

/** An open element: its output so far, and whether it is left out. */
type Frame = { name: string; output: string[]; isDropped: boolean; isUnwrapped: boolean };

/** Removes hidden text, deleted text and comments from Word 2003 XML and keeps inserted text. */
export function removeHiddenWordMl(xml: string): string {
  const hiddenStyles = new Set<string>();
  const frames: Frame[] = [{ name: '', output: [], isDropped: false, isUnwrapped: true }];
  let styleId = '';
  let hasCdata = false;
  const top = () => frames.at(-1) as Frame;
  const findEnclosingFrame = (name: string) => frames.findLast((frame) => localName(frame.name) === name);
  const hide = (name: string) => {
    const frame = findEnclosingFrame(name);
    if (frame) frame.isDropped = true;
  };
  /** A hidden run is dropped; a hidden style is remembered; a hidden paragraph mark has no text. */
  const onHidden = () => {
    if (findEnclosingFrame('style')) hiddenStyles.add(styleId);
    else hide('r');
  };
  const onOpen = (name: string, attributes: Record<string, string>) => {
    const local = localName(name);
    const value = findAttributeValue(attributes, 'val');
    if (local === 'style') styleId = findAttributeValue(attributes, 'styleId');
    if (local === 'vanish' && !OFF.test(value)) onHidden();
    if (local === 'rStyle' && hiddenStyles.has(value)) hide('r');
    if (local === 'pStyle' && hiddenStyles.has(value)) hide('p');
    const type = local === 'annotation' ? findAttributeValue(attributes, 'type') : '';
    const isInsertion = type === 'Word.Insertion';
    const isInsertedContent = local === 'content' && localName(top().name) === 'annotation' && top().isUnwrapped;
    frames.push({
      name,
      output: isInsertion || isInsertedContent ? [] : [openingTag(name, attributes)],
      isDropped: DROPPED_ANNOTATIONS.test(type),
      isUnwrapped: isInsertion || isInsertedContent,
    });
  };
  const onClose = () => {
    const frame = frames.pop();
    if (!frame || frame.isDropped) return;
    if (!frame.isUnwrapped) frame.output.push(`</${frame.name}>`);
    for (const part of frame.output) top().output.push(part);
  };
  const parser = new Parser(
    {
      onopentag: onOpen,
      onclosetag: onClose,
      ontext: (text) => top().output.push(hasCdata ? `<![CDATA[${text}]]>` : text),
      oncdatastart: () => {
        hasCdata = true;
      },
      oncdataend: () => {
        hasCdata = false;
      },
      onprocessinginstruction: (name, data) => {
        if (name !== '?xml') top().output.push(`<${data}>`);
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.end(xml);
  return `<?xml version="1.0" encoding="UTF-8"?>${frames[0]?.output.join('') ?? ''}`;
}

export function writeWordMlWithoutHidden({ file, folder }: { file: string; folder: string }): void {
  writeFileSync(`${folder}/${OUTPUT_NAME}`, removeHiddenWordMl(decodeMarkup(readFileSync(file))));
}
