import { type Drawing, findDrawParams } from './drawing.ts';
import type { OfdDocument } from './ofd-document.ts';
import { addResources, emptyResources, type Resources } from './resources.ts';
import { findChild, findChildren, type XmlElement } from './xml-tree.ts';

const layerOrder = ['Background', 'Body', 'Foreground'] as const;

/** Draws the layers of a page or of a template, with its own resources. */
export async function drawPageObjects(drawing: Drawing, document: OfdDocument, page: XmlElement): Promise<void> {
  const resources = await pageResources(drawing, document, page);
  const layers = findChildren(findChild(page, 'Content'), 'Layer');
  for (const order of layerOrder)
    for (const layer of layers.filter(({ attributes: { Type = 'Body' } }) => layerKind(Type) === order)) {
      const drawParams = findDrawParams(resources, layer.attributes.DrawParam);
      await drawing.drawBlock({ ...drawing, resources, drawParams }, layer);
    }
}

const layerKind = (type: string) => layerOrder.find((kind) => kind === type) ?? 'Body';

/** The resources of the document, preceded by those of the page. */
async function pageResources({ ofd }: Drawing, document: OfdDocument, page: XmlElement): Promise<Resources> {
  const locations = findChildren(page, 'PageRes');
  if (locations.length === 0) return document.resources;
  const localResources = emptyResources();
  for (const { text } of locations) await addResources(localResources, ofd, ofd.findMember(text, document.folder));
  return {
    fonts: new Map([...document.resources.fonts, ...localResources.fonts]),
    colorSpaces: new Map([...document.resources.colorSpaces, ...localResources.colorSpaces]),
    drawParams: new Map([...document.resources.drawParams, ...localResources.drawParams]),
    media: new Map([...document.resources.media, ...localResources.media]),
    composites: new Map([...document.resources.composites, ...localResources.composites]),
  };
}
