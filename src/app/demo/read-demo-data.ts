import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { demoFolder } from './read-demo-documents.ts';

/** Users are indexes in the list of demo users, documents are titles. */
const activity = z.strictObject({
  comments: z.array(
    z.strictObject({
      document: z.string(),
      user: z.number(),
      days_ago: z.number(),
      text: z.string(),
      replies: z.array(z.strictObject({ user: z.number(), text: z.string() })),
    }),
  ),
  unreviewed_comment: z.strictObject({ document: z.string(), user: z.number(), text: z.string() }),
  reports: z.array(
    z.strictObject({
      document: z.string(),
      user: z.number(),
      reason: z.literal([1, 2, 3, 4, 5, 6]),
      content: z.string(),
    }),
  ),
  favorite_folders: z.array(
    z.strictObject({ user: z.number(), title: z.string(), is_public: z.boolean(), documents: z.array(z.string()) }),
  ),
});
export type DemoActivity = z.infer<typeof activity>;

const homePage = z.strictObject({
  banners: z.array(z.strictObject({ title: z.string(), url: z.string(), image: z.string() })),
  friend_links: z.array(z.strictObject({ title: z.string(), link: z.string(), description: z.string() })),
  recommended_words: z.array(z.string()),
  synonyms: z.array(z.array(z.string())),
});

const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(demoFolder, name), 'utf8'));

export const readActivity = (): DemoActivity => activity.parse(readJson('activity.json'));
export const readHomePage = () => homePage.parse(readJson('home-page.json'));
