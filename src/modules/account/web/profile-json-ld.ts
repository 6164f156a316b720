import type { PublicUser } from './user-header.tsx';

export const profileJsonLd = (
  { id, username, avatar, signature, created_at, fans_count, doc_count }: PublicUser,
  toAbsoluteUrl: (path: string) => string,
): object => ({
  '@type': 'ProfilePage',
  dateCreated: created_at,
  mainEntity: {
    '@type': 'Person',
    identifier: String(id),
    name: username,
    url: toAbsoluteUrl(`/user/${id}`),
    ...(avatar && { image: toAbsoluteUrl(avatar) }),
    ...(signature && { description: signature }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/FollowAction',
      userInteractionCount: fans_count,
    },
    agentInteractionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/ShareAction',
      userInteractionCount: doc_count,
    },
  },
});
